// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.StagedFile;
import io.packing.blob.BlobName;
import io.packing.blob.BlobReader;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Framing;
import io.packing.blob.PackedFile;
import io.packing.encryption.Keystore;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the footers of blobs, one request each and several at a time, and stages what they list. */
final class FooterScan {
    private static final Logger LOG = LoggerFactory.getLogger(FooterScan.class);
    private static final int PARALLEL = 16;
    private static final int FILES_PER_BATCH = 5_000;

    /** A blob and its object. */
    record Blob(BlobName name, ObjectInfo object) {}

    private final ObjectStore objects;
    private final SortedStore store;
    private final RecoveryReport report;
    private final RecoveryProgress progress;
    private final Keystore keystore;

    FooterScan(
            ObjectStore objects,
            SortedStore store,
            Keystore keystore,
            RecoveryReport report,
            RecoveryProgress progress) {
        this.keystore = keystore;
        this.progress = progress;
        this.objects = objects;
        this.store = store;
        this.report = report;
    }

    void stage(List<Blob> blobs) throws IOException {
        report.blobs += blobs.size();
        List<Callable<Boolean>> reads = new ArrayList<>();
        for (Blob blob : blobs) {
            reads.add(() -> {
                boolean sound = stage(blob);
                progress.step();
                return sound;
            });
        }
        for (boolean sound : ParallelCalls.run(PARALLEL, reads)) {
            report.damagedBlobs += sound ? 0 : 1;
        }
    }

    private boolean stage(Blob blob) throws IOException {
        try {
            BlobReader reader = BlobReader.open(
                    new ObjectSource(objects, blob.object().key(), blob.object().length()),
                    blob.name().footerOffset(),
                    keystore);
            WriteBatch batch = new WriteBatch();
            Framing framing =
                    new Framing(blob.name().footerOffset(), blob.object().length());
            int files = 0;
            for (PackedFile file : reader.footer()) {
                framing.add(file);
                StagedFile staged = new StagedFile(blob.name(), file);
                batch.put(staged.key(), staged.encode());
                if (++files % FILES_PER_BATCH == 0) {
                    store.write(batch, SortedStore.Sync.NONE);
                    batch = new WriteBatch();
                }
            }
            // The blob itself, even when none of its files is needed: else it would never be collected.
            batch.put(
                    Keys.staged(0, 0, blob.name().toString()),
                    new Bytes.Out()
                            .number(blob.object().length())
                            .number(framing.bytes())
                            .toBytes());
            store.write(batch, SortedStore.Sync.NONE);
            return true;
        } catch (CorruptBlobException e) {
            LOG.error("blob {} is damaged and left out: {}", blob.name(), e.getMessage());
            report.notRead(blob.object().key(), "has a damaged footer");
            return false;
        }
    }
}
