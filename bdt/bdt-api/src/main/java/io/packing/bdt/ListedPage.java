package io.packing.bdt;

import java.util.List;

/**
 * A part of a listing.
 *
 * @param entries in ascending order of their names' UTF-8 bytes
 * @param isLast whether nothing follows; if not, that is unknown, and an empty page will say it
 */
public record ListedPage(List<ListedEntry> entries, boolean isLast) {
    /** Of a directory that has nothing, or nothing more. */
    public static final ListedPage END = new ListedPage(List.of(), true);

    public ListedPage {
        entries = List.copyOf(entries);
        isLast |= entries.isEmpty();
    }
}
