// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The sections of pages that run, with their order. */
final class DocSections {
    private DocSections() {}

    /** Returns the blocks of a section: {@code page.md#anchor} in docs. */
    static List<DocBlock> blocks(String section) throws IOException {
        String[] parts = section.split("#", 2);
        return DocPage.read("docs/" + parts[0]).blocks().stream()
                .filter(block -> parts.length == 1 || block.heading().equals(parts[1]))
                .toList();
    }

    /** Returns the blocks of the sections that a page continues, and then its own. */
    static List<DocBlock> of(DocPage page) throws IOException {
        List<DocBlock> all = new ArrayList<>();
        for (String section : page.continues()) {
            all.addAll(blocks(section));
        }
        all.addAll(page.blocks());
        return all;
    }
}
