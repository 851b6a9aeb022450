// SPDX-License-Identifier: Apache-2.0
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
import io.packing.store.PutCondition;
import io.packing.store.StreamedBody;
import io.packing.store.UntrustedStreamException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.OptionalInt;

/** The last step of a finished blob: it verifies and names the blob, and puts it into the backing store. Thread-safe. */
public final class BlobPusher {
    private static final int TAIL_BYTES = 4 << 10;

    private final String worker;
    private final ObjectStore store;
    private final BlobClock clock;
    private final ActiveWork activeWork;
    private final MeterRegistry metrics;
    private final Keystore keystore;
    private final Runnable whenPushed;

    /**
     * @param worker in the names of the blobs
     * @param activeWork counts the pushes
     * @param keystore for the verification of encrypted blobs
     * @param whenPushed runs after a push, while the buffer has the blob's files
     */
    public BlobPusher(
            String worker,
            ObjectStore store,
            BlobClock clock,
            ActiveWork activeWork,
            MeterRegistry metrics,
            Keystore keystore,
            Runnable whenPushed) {
        this.keystore = keystore;
        this.whenPushed = whenPushed;
        this.activeWork = activeWork;
        this.worker = worker;
        this.store = store;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** Returns whether the store takes a blob of this length while it fills. */
    boolean takesStream(long length) {
        return store.takesStream(length);
    }

    /**
     * Pushes a blob that fills meanwhile.
     *
     * @param finish has the end of the blob when the last byte is sent
     * @throws PushCutException when the store has no such blob
     */
    PushedBlob push(Announcement announced, SegmentStream stream, PushAhead.Finish finish) throws IOException {
        BlobName name = new BlobName(worker, announced.footerOffset(), clock.next());
        String key = BlobName.FOLDER + name.key();
        try (ActiveWork.Begun begun =
                activeWork.begin("push", "a push of %,d bytes while they come".formatted(announced.length()))) {
            store.put(key, new StreamedBody(announced.length(), stream), PutCondition.IF_ABSENT);
        } catch (PushCutException e) {
            throw e;
        } catch (IOException e) {
            if (e instanceof UntrustedStreamException || !stream.isSpent() || !isThere(key, finish)) {
                PushCutException cut =
                        new PushCutException(PushCutException.Cause.STORE, String.valueOf(e.getMessage()));
                cut.initCause(e);
                throw cut;
            }
            // Only the answer was lost.
        }
        FinishedBlob finished = finish.blob();
        metrics.counter("packing.packed.files").increment(finished.files());
        metrics.counter("packing.pushed.ahead").increment();
        return pushed(name, finished);
    }

    /** Returns whether the store has the blob; false also if it does not answer. */
    private boolean isThere(String key, PushAhead.Finish finish) {
        ByteBuffer end = finish.bytes();
        ByteBuffer tail = end.position(Math.max(0, end.limit() - TAIL_BYTES)).slice();
        try {
            return store.head(key)
                            .filter(there -> there.length() == finish.blob().length())
                            .isPresent()
                    && store.getTail(key, tail.remaining()).equals(tail);
        } catch (IOException e) {
            return false;
        }
    }

    private PushedBlob pushed(BlobName name, FinishedBlob finished) {
        whenPushed.run();
        metrics.counter("packing.pushed.blobs").increment();
        metrics.counter("packing.pushed.bytes").increment((double) finished.length());
        return new PushedBlob(name, finished.length(), finished.framing());
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
        try (ActiveWork.Begun begun = activeWork.begin("push", "a push of %,d bytes".formatted(finished.length()))) {
            while (!ExclusivePut.put(store, BlobName.FOLDER + name.key(), path, crc32c)) {
                name = new BlobName(worker, finished.footerOffset(), clock.next());
            }
        }
        pushing.stop(metrics.timer("packing.push"));
        return pushed(name, finished);
    }
}
