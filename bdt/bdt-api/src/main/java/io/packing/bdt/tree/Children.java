// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.tree;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries of a directory in the order of listings, a page at a time. A deleted directory has none. */
public final class Children {
    private static final int PAGE = 1_000;

    private final BdtLookups bdt;
    private final FilePath directory;
    private List<FileStatus> page = List.of();
    private int at;
    private String last = "";
    private boolean ended;

    public Children(BdtLookups bdt, FilePath directory) {
        this.bdt = bdt;
        this.directory = directory;
    }

    /** Returns the next entry without taking it; null at the end. */
    public @Nullable FileStatus peek() throws IOException {
        if (at >= page.size() && !ended) {
            page = bdt.list(directory, last, PAGE).orElse(List.of());
            at = 0;
            ended = page.isEmpty();
            last = ended ? last : page.get(page.size() - 1).path().name();
        }
        return ended ? null : page.get(at);
    }

    /** Takes the next entry; null at the end. */
    public @Nullable FileStatus next() throws IOException {
        FileStatus next = peek();
        at++;
        return next;
    }

    /** Compares two entries by the order of listings, that of their names' UTF-8 bytes; null comes last. */
    public static int compare(@Nullable FileStatus one, @Nullable FileStatus other) {
        if (one == null || other == null) {
            return Boolean.compare(one == null, other == null);
        }
        return Arrays.compareUnsigned(
                one.path().name().getBytes(StandardCharsets.UTF_8),
                other.path().name().getBytes(StandardCharsets.UTF_8));
    }
}
