// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.recover.RecoveryMerge;
import io.packing.bdt.master.table.row.Unread;
import java.util.ArrayList;
import java.util.List;

/**
 * The findings and results of a recovery. Counters that are written by several threads are guarded by the object.
 */
final class RecoveryReport {
    /** True if another master had the mount before: claims may be lost even when the store has nothing else. */
    boolean takenOver;

    long backupPosition;
    int damagedBackups;
    int damagedJournals;
    int journalEntries;
    int blobs;
    int damagedBlobs;
    RecoveryMerge.Merged merged = new RecoveryMerge.Merged(0, 0, 0, 0, 0, 0);

    /** Objects that could not be read; positions are those of journals. */
    private final List<Unread> unread = new ArrayList<>();

    /** Adds a blob, which may have any version that was claimed before this recovery. */
    synchronized void notRead(String key, String why) {
        unread.add(new Unread(key, why, 0, Long.MAX_VALUE));
    }

    synchronized void notRead(Unread each) {
        unread.add(each);
    }

    /** Returns what could not be read, with versions until a position. */
    synchronized List<Unread> unread(long position) {
        return unread.stream()
                .map(each -> new Unread(
                        each.object(), each.why(), Math.min(each.after(), position), Math.min(each.until(), position)))
                .toList();
    }

    boolean isEmpty() {
        return !takenOver && backupPosition == 0 && journalEntries == 0 && blobs == 0;
    }

    @Override
    public String toString() {
        return ("backup at %d (%d damaged), %d journal entries (%d journals damaged), %d later blobs (%d damaged):"
                        + " %d files committed, %d superseded, %d left out because bytes are missing, %d set aside, %d shared,"
                        + " %d contents wait for their workers")
                .formatted(
                        backupPosition,
                        damagedBackups,
                        journalEntries,
                        damagedJournals,
                        blobs,
                        damagedBlobs,
                        merged.committed(),
                        merged.superseded(),
                        merged.incomplete(),
                        merged.setAside(),
                        merged.shared(),
                        merged.missing());
    }
}
