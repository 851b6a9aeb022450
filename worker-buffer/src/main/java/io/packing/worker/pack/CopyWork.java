// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.CopyOrder;
import io.packing.bdt.CopyReport;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobKey;
import io.packing.blob.BlobName;
import io.packing.blob.BlobReader;
import io.packing.blob.CompactedBlob;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.LiveFile;
import io.packing.blob.PackedFile;
import io.packing.blob.RangeSource;
import io.packing.encryption.DataKeys;
import io.packing.encryption.Keystore;
import io.packing.store.ExclusivePut;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies of live bytes that the master orders (RFC 0032): this worker reads sparse blobs, makes a new one, and pushes it once the master's
 * table has a row for it. Orders come with the answers to heartbeats, and reports go with heartbeats. Nothing of an order outlives this
 * process. One thread steps it; the heartbeat's thread brings orders.
 */
public final class CopyWork {
    private static final Logger LOG = LoggerFactory.getLogger(CopyWork.class);
    private static final int WINDOW_BYTES = 16 << 20;

    private final ObjectStore objects;
    private final Keystore keystore;
    private final Optional<DataKeys> keys;
    private final ScratchFiles scratch;
    /** Runs when there is something to report. */
    private volatile Runnable news = () -> {};

    private final Semaphore changed = new Semaphore(0);

    private Optional<CopyOrder> order = Optional.empty();
    private CopyReport report = CopyReport.NONE;
    /** The blob that was made. Confined to the thread that steps. */
    private Optional<Made> made = Optional.empty();

    private record Made(long order, Path file, CompactedBlob.Verified blob) {}

    /** A sparse blob in the store. */
    private record SparseBlob(ObjectStore objects, String name, long length) implements RangeSource {
        @Override
        public ByteBuffer read(long offset, int count) throws IOException {
            return objects.get(name, offset, count);
        }

        @Override
        public ByteBuffer readAgain(long offset, int count) throws IOException {
            return objects.getAgain(name, offset, count);
        }
    }

    /** The keys of the mount. */
    private final class MountBlobKeys implements CompactedBlob.Keys {
        @Override
        public Keystore keystore() {
            return keystore;
        }

        @Override
        public boolean encrypts() {
            return keys.isPresent();
        }

        @Override
        public Optional<BlobKey> blob() throws IOException {
            return keys.isPresent() ? Optional.of(BlobKey.begin(keys.get())) : Optional.empty();
        }
    }

    /**
     * @param keys of new blobs, if the mount is encrypted
     * @param scratch files for new blobs
     */
    public CopyWork(ObjectStore objects, Keystore keystore, Optional<DataKeys> keys, ScratchFiles scratch) {
        this.objects = objects;
        this.keystore = keystore;
        this.keys = keys;
        this.scratch = scratch;
    }

    /** Runs something from now on when there is something to report. */
    public void tellNews(Runnable heartbeat) {
        news = heartbeat;
    }

    /** Returns a heartbeat that says how far the order is. */
    synchronized Heartbeat signed(Heartbeat heartbeat) {
        return heartbeat.copying(report);
    }

    /** Takes an order, a leave to push, or the end of an order. */
    synchronized void heard(HeartbeatReply reply) {
        Optional<CopyOrder> told = reply.copy();
        boolean isSame = told.isPresent()
                && order.isPresent()
                && told.get().number() == order.get().number();
        if (isSame) {
            if (told.get().push() && !order.get().push()) {
                order = Optional.of(order.get().mayPush());
                changed.release();
            }
            return;
        }
        boolean had = order.isPresent();
        // An answer that counts on an order that this process does not have is followed by the whole order.
        order = told.filter(each -> !each.sources().isEmpty());
        report = order.map(each ->
                        new CopyReport(each.number(), CopyReport.State.WORKING, Optional.empty(), List.of(), ""))
                .orElse(CopyReport.NONE);
        if (had || order.isPresent()) {
            changed.release();
        }
    }

    /** Waits for news of an order, and does what follows from them. */
    public void step() throws IOException, InterruptedException {
        changed.acquire();
        work();
    }

    /** Does what the order asks for now; returns at once if that is nothing. */
    public void work() throws IOException {
        Optional<CopyOrder> now;
        CopyReport.State state;
        synchronized (this) {
            now = order;
            state = report.state();
        }
        if (made.isPresent()
                && (now.isEmpty() || now.get().number() != made.get().order())) {
            discard();
        }
        if (now.isEmpty()) {
            return;
        }
        try {
            if (state == CopyReport.State.WORKING) {
                make(now.get());
            } else if (state == CopyReport.State.BUILT && now.get().push() && made.isPresent()) {
                push(now.get(), made.get());
            }
        } catch (IOException e) {
            LOG.warn("the copy of sparse blobs that the master ordered failed: {}", e.toString());
            fail(now.get(), e.toString());
        }
    }

    private void fail(CopyOrder failed, String why) throws IOException {
        tell(new CopyReport(failed.number(), CopyReport.State.FAILED, Optional.empty(), List.of(), why));
        discard();
    }

    private void discard() throws IOException {
        if (made.isPresent()) {
            scratch.drop(made.get().file());
            made = Optional.empty();
        }
    }

    private void tell(CopyReport next) {
        synchronized (this) {
            if (order.isEmpty() || order.get().number() != next.number()) {
                return;
            }
            report = next;
        }
        news.run();
    }

    private synchronized boolean isWanted(CopyOrder each) {
        return order.isPresent() && order.get().number() == each.number();
    }

    private void make(CopyOrder from) throws IOException {
        long bytes = from.sources().stream()
                .flatMap(source -> source.files().stream())
                .flatMap(file -> file.extents().stream())
                .mapToLong(extent -> extent.storedBytes())
                .sum();
        if (scratch.room() < 2 * bytes) {
            fail(from, "too little room on the worker's disk for %,d bytes twice".formatted(bytes));
            return;
        }
        Path file = scratch.take();
        Path waiting = scratch.take();
        boolean done = false;
        try (FileChannel channel = emptied(file);
                FileChannel waitingBytes = emptied(waiting)) {
            CompactedBlob blob =
                    new CompactedBlob(channel, waitingBytes, WINDOW_BYTES, new MountBlobKeys(), CopyWork::stays);
            Map<FileVersion, Integer> ranks = new HashMap<>();
            for (CopyOrder.Source each : from.sources()) {
                if (!isWanted(from)) {
                    return;
                }
                add(each, blob, ranks);
            }
            if (blob.files() == 0) {
                fail(from, "nothing of the sparse blobs could be read");
                return;
            }
            CompactedBlob.Verified verified = blob.finish(file.toString(), version -> ranks.getOrDefault(version, 0));
            made = Optional.of(new Made(from.number(), file, verified));
            done = true;
            tell(new CopyReport(
                    from.number(), CopyReport.State.BUILT, Optional.of(pushed(from, verified)), List.of(), ""));
        } finally {
            scratch.drop(waiting);
            if (!done) {
                scratch.drop(file);
            }
        }
    }

    private static FileChannel emptied(Path file) throws IOException {
        return FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    private void add(CopyOrder.Source from, CompactedBlob to, Map<FileVersion, Integer> ranks) throws IOException {
        SparseBlob source =
                new SparseBlob(objects, BlobName.FOLDER + from.blob().key(), from.length());
        BlobReader reader = BlobReader.open(source, from.blob().footerOffset(), keystore);
        Map<FileVersion, CopyOrder.CopiedFile> wanted = new HashMap<>();
        for (CopyOrder.CopiedFile each : from.files()) {
            wanted.put(each.version(), each);
            ranks.put(each.version(), each.rank());
        }
        List<LiveFile> live = new ArrayList<>();
        for (PackedFile each : reader.footer()) {
            CopyOrder.CopiedFile asked = wanted.get(each.version());
            if (asked != null) {
                live.add(new LiveFile(each, asked.extents()));
            }
        }
        // The report lacks what stays, and so the master keeps it where it is.
        boolean unused = to.add(from.blob(), source, reader, live);
    }

    private static void stays(FilePath file, String why, Optional<CorruptBlobException> damage) {
        if (damage.isPresent()) {
            LOG.error("{} stays in a sparse blob: {}", file, why, damage.get());
        } else {
            LOG.warn("{} stays in a sparse blob: {}", file, why);
        }
    }

    private static PushedBlob pushed(CopyOrder by, CompactedBlob.Verified verified) {
        BlobName name = new BlobName("compacted", verified.blob().footerOffset(), by.timestampMicros());
        return new PushedBlob(name, verified.blob().length(), verified.blob().framing());
    }

    private void push(CopyOrder by, Made blob) throws IOException {
        PushedBlob pushed = pushed(by, blob.blob());
        String key = BlobName.FOLDER + pushed.name().key();
        if (!ExclusivePut.put(
                objects, key, blob.file(), OptionalInt.of(blob.blob().crc32c()))) {
            fail(by, "%s is another writer's".formatted(pushed.name()));
            return;
        }
        List<CommittedFile> files = blob.blob().moved().stream()
                .map(moved -> new CommittedFile(
                        moved.version(),
                        moved.copies().stream()
                                .map(extent -> new BlobExtent(pushed.name(), extent))
                                .toList()))
                .toList();
        tell(new CopyReport(by.number(), CopyReport.State.PUSHED, Optional.of(pushed), files, ""));
        discard();
    }
}
