// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.List;

/**
 * A part of a listing.
 *
 * @param entries in ascending order of their names' UTF-8 bytes
 * @param isLast true if no page follows; if not, that is unknown, and an empty page is the end
 */
public record ListedPage(List<ListedEntry> entries, boolean isLast) {
    /** The page of a directory without entries, or without further ones. */
    public static final ListedPage END = new ListedPage(List.of(), true);

    public ListedPage {
        entries = List.copyOf(entries);
        isLast |= entries.isEmpty();
    }
}
