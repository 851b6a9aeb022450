// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.BlobName;
import io.packing.encryption.Keystore;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The evidence that a table is of a store: the table's newest backup and some of its blobs are there. For tables of the
 * version before, whose folders do not name the identity of their store.
 */
record StoreEvidence(int wanted, int found) {
    private static final int BLOBS = 8;

    /** @param folder for the backup while it is looked at */
    static StoreEvidence of(Rows table, ObjectStore objects, Path folder) throws IOException {
        List<String> blobs = new ArrayList<>();
        table.scan(Keys.kind(Keys.BLOB_NUMBER), Keys.kindEnd(Keys.BLOB_NUMBER), (key, value) -> {
            blobs.add(BlobName.FOLDER + BlobName.parse(Keys.name(key)).key());
            return blobs.size() < BLOBS;
        });
        int found = 0;
        for (String key : blobs) {
            found += objects.head(key).isPresent() ? 1 : 0;
        }
        long backup = UploadState.load(table).backupPosition();
        if (backup == 0) {
            return new StoreEvidence(blobs.size(), found);
        }
        boolean same = hasRowOf(table, objects, MasterObject.backup(backup).key(), folder);
        return new StoreEvidence(blobs.size() + 1, found + (same ? 1 : 0));
    }

    /** Returns whether the table has a row of the backup unchanged; another table's backup may have the same name. */
    private static boolean hasRowOf(Rows table, ObjectStore objects, String backup, Path folder) throws IOException {
        Path file = folder.resolve("backup-of-the-store");
        Files.deleteIfExists(file);
        boolean[] same = new boolean[1];
        try {
            objects.download(backup, file);
            // Stores of that version have nothing encrypted.
            long position = RowFile.read(file, Keystore.NONE, (key, value) -> {
                same[0] = isTelling(key)
                        && table.get(key)
                                .filter(row -> Arrays.equals(row, value))
                                .isPresent();
                return !same[0];
            });
            return same[0] && position > 0;
        } catch (ObjectNotFoundException | RowFile.DamagedException e) {
            return false;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Returns whether rows of this kind contain names and times. */
    private static boolean isTelling(byte[] key) {
        byte kind = key[0];
        return !Keys.isFence(key) && (kind == Keys.ENTRY || kind == Keys.BLOB_NUMBER || kind == Keys.WORKER);
    }

    /** Nothing contradicts that the table is of the store. */
    boolean isPossible() {
        return wanted == 0 || found > 0;
    }

    /** Something shows that the table is of the store. */
    boolean isShown() {
        return found > 0;
    }
}
