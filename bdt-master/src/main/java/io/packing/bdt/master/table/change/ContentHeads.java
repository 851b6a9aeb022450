// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.ReferenceMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Heads of contents that were looked at lately: their rows are long. Confined to the writer thread. */
final class ContentHeads {
    private static final int MOST = 10_000;

    private final Source source;
    /** The oldest look first. */
    private final Map<Long, ContentHead> heads = new LinkedHashMap<>(16, 0.75f, true);

    /** Reads contents that the table has. */
    interface Source {
        Content get(long content) throws IOException;
    }

    ContentHeads(Source source) {
        this.source = source;
    }

    /** Returns the heads of the contents of a map. */
    List<ContentHead> of(ReferenceMap map) throws IOException {
        List<ContentHead> named = new ArrayList<>();
        for (long content : map.contents()) {
            ContentHead head = heads.get(content);
            if (head == null) {
                head = ContentHead.of(source.get(content));
                if (heads.size() >= MOST) {
                    heads.remove(heads.keySet().iterator().next());
                }
                heads.put(content, head);
            }
            named.add(head);
        }
        return named;
    }

    /** Forgets a content that changes. */
    void remove(long content) {
        ContentHead unused = heads.remove(content);
    }

    void clear() {
        heads.clear();
    }
}
