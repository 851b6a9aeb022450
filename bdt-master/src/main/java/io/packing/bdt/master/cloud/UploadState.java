// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A mount's uploads in the backing store: its newest backups and the journals since the older of them. */
final class UploadState {
    static final byte[] KEY = Keys.named(Keys.META, "uploads");
    private static final int BACKUPS_KEPT = 2;

    private final List<MasterObject> objects = new ArrayList<>();

    static UploadState load(Rows rows) throws IOException {
        UploadState state = new UploadState();
        rows.get(KEY).ifPresent(row -> {
            Bytes.In in = new Bytes.In(row);
            while (in.hasMore()) {
                MasterObject.parse(in.text()).ifPresent(state.objects::add);
            }
        });
        return state;
    }

    byte[] encode() {
        Bytes.Out out = new Bytes.Out();
        objects.forEach(object -> out.text(object.key()));
        return out.toBytes();
    }

    /** The position of the newest backup. */
    long backupPosition() {
        return newest(MasterObject.Kind.BACKUP);
    }

    /** The position of the oldest backup that is kept; 0 while there is only one, which may turn out to be damaged. */
    long fallbackPosition() {
        List<MasterObject> backups = objects.stream()
                .filter(object -> object.kind() == MasterObject.Kind.BACKUP)
                .toList();
        return backups.size() < BACKUPS_KEPT
                ? 0
                : backups.stream().mapToLong(MasterObject::last).min().orElse(0);
    }

    /** Up to where the journal is uploaded, or covered by a backup. */
    long journalPosition() {
        return newest(MasterObject.Kind.JOURNAL);
    }

    /** Up to where the journals before a position go: between both, there are no entries. */
    long journalsBefore(long position) {
        return Math.max(
                fallbackPosition(),
                objects.stream()
                        .filter(object -> object.kind() == MasterObject.Kind.JOURNAL)
                        .mapToLong(MasterObject::last)
                        .filter(last -> last < position)
                        .max()
                        .orElse(0));
    }

    void uploaded(MasterObject object) {
        objects.add(object);
    }

    void deleted(List<MasterObject> gone) {
        objects.removeAll(gone);
    }

    /** Adds a backup and returns what is not needed any more. */
    List<MasterObject> backedUp(MasterObject backup) {
        objects.remove(backup);
        objects.add(backup);
        List<MasterObject> backups = objects.stream()
                .filter(object -> object.kind() == MasterObject.Kind.BACKUP)
                .sorted(Comparator.comparingLong(MasterObject::last).reversed())
                .toList();
        if (backups.size() < BACKUPS_KEPT) {
            return List.of();
        }
        long oldestKept = backups.get(BACKUPS_KEPT - 1).last();
        List<MasterObject> obsolete = objects.stream()
                .filter(object -> object.kind() == MasterObject.Kind.BACKUP
                        ? object.last() < oldestKept
                        : object.last() <= oldestKept)
                .toList();
        objects.removeAll(obsolete);
        return obsolete;
    }

    private long newest(MasterObject.Kind kind) {
        return objects.stream()
                .filter(object -> object.kind() == kind)
                .mapToLong(MasterObject::last)
                .max()
                .orElse(0);
    }
}
