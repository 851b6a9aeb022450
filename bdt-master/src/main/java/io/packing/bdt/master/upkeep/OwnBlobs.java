// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.PushedBlob;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.blob.BlobName;
import io.packing.blob.FinishedBlob;
import io.packing.store.ExclusivePut;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.OptionalInt;

/**
 * The pushes of blobs that the master itself makes. A blob has its row before it is pushed, without a file: if this process ends before
 * its bytes are used, the garbage collector finds it there. Confined to the upkeep thread.
 */
final class OwnBlobs {
    private final Table table;
    private final ObjectStore objects;
    private final Clocks clocks;
    private long lastTimestamp;

    /** A blob in the store, with its number in the table. */
    record Pushed(BlobName name, long number) {}

    OwnBlobs(MountStorage storage, Clocks clocks) {
        this.table = storage.table();
        this.objects = storage.objects();
        this.clocks = clocks;
    }

    /**
     * Pushes a blob.
     *
     * @param file with its bytes
     * @param crc32c of all bytes
     */
    Pushed push(FinishedBlob finished, int crc32c, Path file) throws IOException {
        BlobName name = new BlobName(BlobRow.COMPACTED, finished.footerOffset(), timestamp());
        long number = Waiting.on(table.writer().submit(t -> {
            t.blobs().pushed(new PushedBlob(name, finished.length(), finished.framing()));
            t.change().nextPosition();
            return t.blobs().number(name);
        }));
        if (!ExclusivePut.put(objects, BlobName.FOLDER + name.key(), file, OptionalInt.of(crc32c))) {
            boolean forgotten = Waiting.on(table.writer().submit(t -> t.blobs().forgetDead(number)));
            throw new IOException("%s is somebody else's; forgotten: %s".formatted(name, forgotten));
        }
        return new Pushed(name, number);
    }

    /** Larger than every earlier one of this process; an older process's name is refused by the store. */
    long timestamp() {
        lastTimestamp = Math.max(
                lastTimestamp + 1,
                ChronoUnit.MICROS.between(Instant.EPOCH, clocks.wall().instant()));
        return lastTimestamp;
    }
}
