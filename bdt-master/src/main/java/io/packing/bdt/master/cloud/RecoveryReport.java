package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.RecoveryMerge;

/**
 * What a recovery found and did. Counters that are written by several threads are guarded by the object.
 */
final class RecoveryReport {
    /** Whether another master had the mount before: it may have lost claims even when the store has nothing else. */
    boolean takenOver;

    long backupPosition;
    int damagedBackups;
    int damagedJournals;
    int journalEntries;
    int blobs;
    int damagedBlobs;
    RecoveryMerge.Merged merged = new RecoveryMerge.Merged(0, 0, 0, 0, 0, 0);

    synchronized void damagedBlob() {
        damagedBlobs++;
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
