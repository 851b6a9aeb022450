// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Walks a directory, or a tree, page by page. */
final class Listing {
    static final int PAGE = 1000;

    private final BdtLookups bdt;

    Listing(BdtLookups bdt) {
        this.bdt = bdt;
    }

    /** Visits the direct entries in name order; returns false when the path is no directory. */
    boolean entries(FilePath path, Consumer<FileStatus> each) throws IOException {
        String last = "";
        while (true) {
            Optional<List<FileStatus>> page = bdt.list(path, last, PAGE);
            if (page.isEmpty()) {
                // The directory was deleted between two pages: the entries so far are an answer of a moment ago.
                return !last.isEmpty();
            }
            page.get().forEach(each);
            if (page.get().isEmpty()) {
                return true;
            }
            last = page.get().get(page.get().size() - 1).path().name();
        }
    }

    /** Visits all entries below, a directory before its entries; returns false when the path is no directory. */
    boolean tree(FilePath path, Consumer<FileStatus> each) throws IOException {
        Deque<FilePath> pending = new ArrayDeque<>(List.of(path));
        boolean found = false;
        while (!pending.isEmpty()) {
            boolean listed = entries(pending.remove(), status -> {
                each.accept(status);
                if (status.isDirectory()) {
                    pending.add(status.path());
                }
            });
            found |= listed;
        }
        return found;
    }
}
