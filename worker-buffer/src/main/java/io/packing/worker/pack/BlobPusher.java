package io.packing.worker.pack;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobName;
import io.packing.blob.BlobVerifier;
import io.packing.blob.ChecksummedSource;
import io.packing.blob.FileRangeSource;
import io.packing.blob.FinishedBlob;
import io.packing.blob.VerifiedBlob;
import io.packing.encryption.Keystore;
import io.packing.store.ExclusivePut;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.OptionalInt;

/** The last step of a finished blob: it verifies and names the blob, and puts it into the backing store. Thread-safe. */
public final class BlobPusher {
    private final String worker;
    private final ObjectStore store;
    private final BlobClock clock;
    private final ActiveWork underWay;
    private final MeterRegistry metrics;
    private final Keystore keystore;

    /**
     * @param worker in the names of the blobs
     * @param underWay counts the pushes
     * @param keystore for the verification of encrypted blobs
     */
    public BlobPusher(
            String worker,
            ObjectStore store,
            BlobClock clock,
            ActiveWork underWay,
            MeterRegistry metrics,
            Keystore keystore) {
        this.keystore = keystore;
        this.underWay = underWay;
        this.worker = worker;
        this.store = store;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** Pushes a blob, which is the whole file, under a new name. */
    PushedBlob push(Path path, FileChannel channel, FinishedBlob finished) throws IOException {
        ChecksummedSource source = new ChecksummedSource(new FileRangeSource(path.toString(), channel));
        VerifiedBlob verified = BlobVerifier.verifyOwn(source, keystore);
        // The store must get the verified bytes.
        OptionalInt crc32c = OptionalInt.of(source.crc32c());
        metrics.counter("packing.packed.files").increment(verified.files());
        Timer.Sample pushing = Timer.start(metrics);
        BlobName name = new BlobName(worker, finished.footerOffset(), clock.next());
        try (ActiveWork.Begun begun = underWay.begin("push", "a push of %,d bytes".formatted(finished.length()))) {
            while (!ExclusivePut.put(store, BlobName.FOLDER + name.key(), path, crc32c)) {
                name = new BlobName(worker, finished.footerOffset(), clock.next());
            }
        }
        pushing.stop(metrics.timer("packing.push"));
        metrics.counter("packing.pushed.blobs").increment();
        metrics.counter("packing.pushed.bytes").increment((double) finished.length());
        return new PushedBlob(name, finished.length(), finished.framing());
    }
}
