// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.List;

/**
 * A page of rows of one part of a table, in the order of the table. A scan over several pages may see a concurrent
 * change or not, and a moving row twice or not at all.
 *
 * @param names of files that have, or had, several
 * @param undated generations that do not tell when a file was claimed: the positions of recoveries that lost the file until its worker
 *     brought it back. The first page of blobs has them while an object is unread
 * @param next the end of the page, an opaque start of the next one; empty: it is the last
 */
public record ScanPage(
        List<ScannedBlob> blobs,
        List<ScannedFile> files,
        List<ScannedSnapshot> snapshots,
        List<ScannedName> names,
        List<ScannedQuota> quotas,
        List<ScanProblem> problems,
        List<Long> undated,
        String next) {
    public ScanPage {
        blobs = List.copyOf(blobs);
        files = List.copyOf(files);
        snapshots = List.copyOf(snapshots);
        names = List.copyOf(names);
        quotas = List.copyOf(quotas);
        problems = List.copyOf(problems);
        undated = List.copyOf(undated);
    }

    public boolean isLast() {
        return next.isEmpty();
    }
}
