package io.packing.bdt;

import java.util.List;

/**
 * Some rows of one part of a table, in the order of the table. What changes while somebody goes from page to page may be seen
 * as before or as after, and what moves may be seen twice or not at all.
 *
 * @param names of files that have, or had, several
 * @param next where the page ends, for the next one, in letters that mean nothing to others; empty: it is the last
 */
public record ScanPage(
        List<ScannedBlob> blobs,
        List<ScannedFile> files,
        List<ScannedSnapshot> snapshots,
        List<ScannedName> names,
        List<ScannedQuota> quotas,
        List<ScanProblem> problems,
        String next) {
    public ScanPage {
        blobs = List.copyOf(blobs);
        files = List.copyOf(files);
        snapshots = List.copyOf(snapshots);
        names = List.copyOf(names);
        quotas = List.copyOf(quotas);
        problems = List.copyOf(problems);
    }

    public boolean isLast() {
        return next.isEmpty();
    }
}
