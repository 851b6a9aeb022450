// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.copy;

import java.util.ArrayList;
import java.util.List;

/** Counts of the copied files so far. Thread-safe. */
final class CopyCount {
    /** Refusals that are listed; the others are counted. */
    private static final int MOST_LISTED = 10_000;

    private final List<CopyResult.Refused> refused = new ArrayList<>();
    private long found;
    private long files;
    private long bytes;
    private long directories;
    private long there;
    private long allRefused;

    /** Another file was found; returns how many were. */
    synchronized long found() {
        return ++found;
    }

    synchronized void directory() {
        directories++;
    }

    synchronized void copied(long length) {
        files++;
        bytes += length;
    }

    synchronized void there() {
        there++;
    }

    synchronized void refused(String path, String why) {
        allRefused++;
        if (refused.size() < MOST_LISTED) {
            refused.add(new CopyResult.Refused(path, why));
        }
    }

    synchronized CopyResult result(double seconds) {
        return new CopyResult(files, bytes, directories, there, allRefused, refused, seconds);
    }
}
