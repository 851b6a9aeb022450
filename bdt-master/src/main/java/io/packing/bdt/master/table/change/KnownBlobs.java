// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.PushedBlob;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.BlobName;
import java.io.IOException;
import java.util.Optional;

/**
 * The blobs that a mount has: their numbers, names and lengths, and how many there are. Files name a blob by its number.
 * Confined to the writer thread.
 */
public final class KnownBlobs {
    private final WriteSet writes;
    private final Counters counters;
    private final Namespace namespace;
    private final LiveBytes live;

    KnownBlobs(WriteSet writes, Counters counters, Namespace namespace, LiveBytes live) {
        this.writes = writes;
        this.counters = counters;
        this.namespace = namespace;
        this.live = live;
    }

    /** The number of a blob, known or new. */
    public long number(BlobName name) throws IOException {
        byte[] key = Keys.named(Keys.BLOB_NUMBER, name.toString());
        Optional<byte[]> known = writes.get(key);
        if (known.isPresent()) {
            return new Bytes.In(known.get()).number();
        }
        long number = counters.nextBlob++;
        writes.put(key, new Bytes.Out().number(number).toBytes());
        live.putBlob(number, new BlobRow(name, name.footerOffset(), 0, false, 0));
        live.die(number);
        counters.blobs++;
        counters.blobBytes += name.footerOffset();
        return number;
    }

    /** Records the length and the framing of a blob, all of whose files were reported. */
    public void pushed(PushedBlob pushed) throws IOException {
        live.settle();
        long number = number(pushed.name());
        BlobRow blob = namespace.placements().blob(number);
        counters.blobBytes += pushed.length() - blob.total();
        live.replace(number, blob, new BlobRow(pushed.name(), pushed.length(), blob.live(), true, pushed.framing()));
    }

    /** Forgets a blob that has no live bytes; returns whether it was known and had none. */
    public boolean forgetDead(long number) throws IOException {
        live.settle();
        Optional<BlobRow> blob = writes.get(Keys.numbered(Keys.BLOB, number))
                .map(BlobRow::decode)
                .filter(row -> row.live() == 0);
        if (blob.isEmpty()) {
            return false;
        }
        live.live(number);
        writes.delete(Keys.numbered(Keys.BLOB, number));
        writes.delete(Keys.named(Keys.BLOB_NUMBER, blob.get().name().toString()));
        counters.blobs--;
        counters.blobBytes -= blob.get().total();
        return true;
    }
}
