// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.bdt.Bdt;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerInfo;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.SealPolicy;
import io.packing.encryption.Keystore;
import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.spans.Spans;
import io.packing.store.ObjectStore;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.TracedMount;
import io.packing.worker.buffer.Appender;
import io.packing.worker.buffer.BufferSegment;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.pack.ActiveWork;
import io.packing.worker.read.FileReader;
import io.packing.worker.read.Peers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A mount whose files this process buffers. Its threads, once started, do its work in steps. */
final class LocalMount implements PackingFileSystem {
    /** The longest wait of a packing thread without work; new work wakes it. */
    private static final long IDLE_MILLIS = 20_000;
    /** The longest wait of the first packing thread, which retries postponed work, as after too many commits. */
    private static final long PUT_OFF_MILLIS = 1_000;

    private static final long FLUSH_CHECK_MILLIS = 1_000;

    /**
     * The resources that a mount closes with itself.
     *
     * @param stores of the buffer
     * @param objects the backing store
     * @param keystore by which blobs are encrypted
     * @param spans of the mount's calls
     */
    record Resources(
            FileBuffer buffer,
            BufferStores stores,
            ObjectStore objects,
            Keystore keystore,
            MountMetrics metrics,
            Spans spans) {}

    /**
     * The state of the mount, for operators.
     *
     * @param waitingCreators that wait for room
     * @param promised the longest that a file waits
     */
    record State(
            long bufferedFiles,
            long bufferedBytes,
            long waitingCreators,
            Duration promised,
            WorkerActivity activity,
            List<ActiveWork.Work> underWay) {}

    private final String worker;
    private final MountOptions options;
    private final Bdt bdt;
    private final Resources resources;
    private final MountWork work;
    private final FileAdmission admission;
    private final FileReader reader;
    private final ReadsForPeers readsForPeers;
    private final DrainState departure;
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    /** The terms by which files wait for their seal now. */
    private volatile SealPolicy.SealOptions seal;

    private boolean closed;

    LocalMount(
            String worker,
            MountOptions options,
            Bdt bdt,
            Resources resources,
            MountWork work,
            FileAdmission admission,
            FileReader reader,
            LongSupplier nanos) {
        this.worker = worker;
        this.options = options;
        this.bdt = bdt;
        this.resources = resources;
        this.work = work;
        this.admission = admission;
        this.reader = reader;
        this.readsForPeers = new ReadsForPeers(bdt, reader, resources.spans(), nanos);
        this.departure = new DrainState(worker);
        this.seal = options.pack().seal();
    }

    /** Starts its threads. */
    void start() {
        String name = name();
        work.deduplication().ifPresent(files -> work.threads().start("packing-dedup-" + name, files::step));
        work.threads().start("packing-append-" + name, work.appender()::step).finishingItsStep(work.appender()::hurry);
        for (int i = 0; i < options.pack().threads(); i++) {
            long idleMillis = i == 0 ? PUT_OFF_MILLIS : IDLE_MILLIS;
            work.threads().start("packing-pack-%s-%d".formatted(name, i), () -> {
                long seen = resources.buffer.selection().changes();
                if (!pack()) {
                    resources.buffer.selection().awaitWork(seen, idleMillis);
                }
            });
        }
        work.ahead().ifPresent(pusher -> work.threads().start("packing-ahead-" + name, pusher::step));
        work.threads().start("packing-copy-" + name, work.copies()::step);
        work.threads().start("packing-heartbeat-" + name, () -> {
            work.masterSession().awaitBeat();
            beat();
        });
    }

    /** Appends the queued files, after a wait of at most this long; rolls the open segment when it is due. */
    void append(long mostMillis) throws IOException, InterruptedException {
        work.appender().step(mostMillis);
    }

    /** Seals and pushes at most one blob; returns true if it had work. */
    boolean pack() throws IOException {
        // The files of a fenced worker may belong to another process, so it pushes none.
        return !work.masterSession().isFenced() && work.packer().step();
    }

    /** Does what an order of the master to copy live bytes asks for now. */
    void copy() throws IOException {
        work.copies().work();
    }

    /**
     * Sends one heartbeat with the pushed blobs; leaves the mount if the operator asked for it and the buffer is empty.
     */
    void beat() throws IOException {
        if (left.isDone()) {
            // A heartbeat would register the worker again.
            return;
        }
        work.masterSession().step();
        if (work.masterSession().isLeaving()) {
            departure.leave();
            leaveIfEmpty();
        }
    }

    private void leaveIfEmpty() throws IOException {
        // Check the writers first: a file that one of them writes now enters the buffer only later.
        if (departure.isQuiet() && holdsNothing()) {
            departure.leftIfQuiet();
        }
        if (departure.hasLeft()) {
            work.masterSession().left();
            left.complete(null);
        }
    }

    private boolean holdsNothing() {
        return resources.buffer.bufferedFiles() == 0 && work.masterSession().waiting() == 0 && !isFenced();
    }

    /** Returns a future that completes when the worker has left on the operator's request. */
    CompletableFuture<Void> left() {
        return left;
    }

    private String name() {
        return options.mountName();
    }

    State state() {
        return new State(
                resources.buffer.bufferedFiles(),
                resources.buffer.bufferedBytes(),
                resources.buffer.waitingCreators(),
                seal.after(),
                work.masterSession().activity(),
                work.activeWork().now());
    }

    /** Takes the options that a mount takes while it works: {@link MountOptions#TAKEN_RUNNING}. */
    void take(MountOptions other) {
        resources.buffer.limit(other.buffer().maxBytes(), other.pack().seal());
        seal = other.pack().seal();
    }

    boolean isFenced() {
        return work.masterSession().isFenced();
    }

    /** Returns the problem that keeps the threads from their work; fencing is reported apart. */
    Optional<String> problem() {
        return work.threads().problem();
    }

    /** Returns the reason why only a restart of the worker helps; empty if it works. */
    Optional<String> needsRestart() {
        return work.threads().needsRestart();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public Bdt bdt() {
        return bdt;
    }

    MountOptions options() {
        return options;
    }

    /** Writes a whole small file: {@link FileAdmission#put}. */
    CompletableFuture<FileVersion> put(FilePath path, CreateOptions create, ByteBuffer bytes, Appender.Writer writer)
            throws IOException {
        departure.begin();
        Span span = resources.spans.serve("put", CurrentSpan.get().context());
        try (CurrentSpan.Bound bound = CurrentSpan.bind(span)) {
            return admission.put(path, create, bytes, writer).whenComplete((done, failed) -> {
                departure.end();
                ended(span, failed);
            });
        } catch (IOException | RuntimeException e) {
            departure.end();
            ended(span, e);
            throw e;
        }
    }

    private static void ended(Span span, @Nullable Throwable failure) {
        if (failure != null) {
            span.failed(failure.toString());
        }
        span.close();
    }

    @Override
    public PackingOutput create(FilePath path, CreateOptions createOptions) throws IOException {
        path.checkCreatable();
        departure.begin();
        return door().create(path, () -> begun(path, createOptions));
    }

    @Override
    public boolean isUploaded(FilePath path) {
        return options.write().areUploaded(path);
    }

    /** Starts a file that its client cannot give to another worker. */
    PackingOutput createLarge(FilePath path, CreateOptions createOptions) throws IOException {
        path.checkCreatable();
        departure.beginLarge();
        try (Span span = resources.spans.serve("create", CurrentSpan.get().context());
                CurrentSpan.Bound bound = CurrentSpan.bind(span)) {
            return begun(path, createOptions);
        }
    }

    private PackingOutput begun(FilePath path, CreateOptions createOptions) throws IOException {
        try {
            // A fenced worker fails here, before the client writes bytes.
            Objects.requireNonNull(admission.session());
            return new LocalOutput(admission, path, createOptions, departure::end);
        } catch (IOException | RuntimeException e) {
            departure.end();
            throw e;
        }
    }

    @Override
    public PackingInput open(FilePath path) throws IOException {
        return door().open(path, () -> reader.open(path));
    }

    @Override
    public PackingInput open(LocatedFile file) {
        return reader.open(file);
    }

    private TracedMount door() {
        return new TracedMount(resources.spans, options.spans().paths());
    }

    /** Returns the reads of its files for other processes. */
    ReadsForPeers readsForPeers() {
        return readsForPeers;
    }

    /** Seals, pushes and commits the files that this process buffers. */
    void flushOwn() throws IOException {
        List<BufferSegment> contents = resources.buffer.contents();
        long patience = options.timeouts().flush().toMillis();
        try {
            do {
                // Request it each time: a file whose claim was under way comes with a later segment.
                resources.buffer.requestRoll();
                work.threads().check();
                if (isClosed() || isFenced()) {
                    throw new IOException("mount %s ended while it was flushed".formatted(name()));
                }
                Optional<String> problem = work.threads().problem();
                patience = problem.isPresent()
                        ? patience - FLUSH_CHECK_MILLIS
                        : options.timeouts().flush().toMillis();
                if (problem.isPresent() && patience < 0) {
                    throw new IOException(
                            "mount %s cannot be flushed: %s. Its files stay in the buffer, and the worker pushes them when that is mended"
                                    .formatted(name(), problem.get()));
                }
            } while (!resources.buffer.awaitGone(contents, FLUSH_CHECK_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while flushing");
        }
    }

    @Override
    public void flush() throws IOException {
        flushOwn();
        Peers peers = reader.peers();
        for (WorkerInfo other : bdt.workers()) {
            if (!other.worker().equals(worker)) {
                peers.flush(other.address(), name());
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        work.threads().close();
        work.deduplication()
                .ifPresent(
                        files -> files.stop(new IOException("the packing worker is stopping; write the file again")));
        work.packer().close();
        work.appender().close();
        work.masterSession().close();
        resources
                .buffer
                .uploads()
                .halt(() -> new IOException(
                        "mount %s was closed before the file was uploaded; it stays in the buffer, and the next start uploads it"
                                .formatted(name())));
        resources.metrics.close();
        resources.buffer.close();
        resources.stores.close();
        reader.close();
        resources.objects.close();
        resources.keystore.close();
        bdt.close();
        resources.spans.close();
    }
}
