package io.packing.worker;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.BlobDirectories;
import io.packing.bdt.BlobDirectory;
import io.packing.bdt.Durability;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerInfo;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.options.Options;
import io.packing.store.ObjectStore;
import io.packing.worker.pack.Packer;
import io.packing.worker.read.BlobPages;
import io.packing.worker.read.LocatedInput;
import io.packing.worker.rpc.LargeWrite;
import io.packing.worker.rpc.PeerClient;
import io.packing.worker.rpc.WriteStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A mount whose files workers in other processes buffer: they are written to one of them, and read from wherever they
 * are.
 */
public final class RemotePackingFileSystem implements PackingFileSystem {
    private static final long POLL_MILLIS = 100;

    private final String name;
    private final MountOptions options;
    private final Duration timeout;
    private final BlobDirectory directory;
    private final ObjectStore store;
    private final Writers writers;
    private final LongSupplier nanoTime;
    private final PeerClient peers = new PeerClient();
    private final BlobPages pages;
    private volatile Optional<WriteStream> stream = Optional.empty();
    private boolean closed;

    private RemotePackingFileSystem(
            MountOptions options, BlobDirectory directory, ObjectStore store, Writers writers, LongSupplier nanoTime) {
        this.name = PackingWorker.name(options.store().location().text());
        this.options = options;
        this.timeout =
                Options.check(options.raw(), "packing.", MountOptions.OPTIONS).get(BdtOptions.MASTER_TIMEOUT);
        this.directory = directory;
        this.store = store;
        this.writers = writers;
        this.nanoTime = nanoTime;
        this.pages = new BlobPages(
                store, Packer.BLOBS, options.readCacheBytes(), options.readWindowMaxBytes(), cached -> {});
    }

    /** Opens a mount; the store is closed with it. */
    public static RemotePackingFileSystem open(
            BlobDirectories directories, MountOptions options, ObjectStore store, Writers writers) throws IOException {
        return new RemotePackingFileSystem(options, directories.open(options.raw()), store, writers, System::nanoTime);
    }

    @Override
    public BlobDirectory directory() {
        return directory;
    }

    MountOptions options() {
        return options;
    }

    /**
     * Writes a whole file of at most {@link Extent#MAX_LENGTH} bytes; files written at the same time travel together.
     * The bytes are not copied: they must stay as they are until the future is done. Waits while 64 MiB are under way, so it
     * must not be called by what completes such a future.
     * The future ends with the exceptions of {@link #create}, or with {@link UnavailableException} when the worker was
     * lost: then the file may be stored or not, and writing it again with overwriting is safe.
     */
    public CompletableFuture<FileVersion> put(FilePath path, ByteBuffer bytes, CreateOptions createOptions) {
        if (bytes.remaining() > Extent.MAX_LENGTH) {
            throw new IllegalArgumentException("%s: %d bytes are more than %d; create it and write"
                    .formatted(path, bytes.remaining(), Extent.MAX_LENGTH));
        }
        try {
            return stream().put(path, bytes, createOptions);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Starts a file that does not fit in memory. */
    LargeWrite large(FilePath path, CreateOptions createOptions) throws IOException {
        return peers.create(stream().address(), name, path, createOptions);
    }

    @Override
    public PackingOutput create(FilePath path, CreateOptions createOptions) throws IOException {
        path.checkCreatable();
        return new RemoteOutput(this, path, createOptions);
    }

    @Override
    public PackingInput open(FilePath path) throws IOException {
        LocatedFile file = directory.locate(path).orElseThrow(() -> new FileNotFoundException(path.value()));
        return new LocatedInput(directory, name, pages, (version, offset, length) -> Optional.empty(), peers, file);
    }

    @Override
    public void flush() throws IOException {
        // All at once with their next heartbeats, while they are waited for one by one.
        directory.sealNow();
        for (WorkerInfo worker : directory.workers()) {
            peers.flush(worker.address(), name);
        }
    }

    /** The stream to the worker, another one when it broke. */
    private WriteStream stream() throws IOException {
        Optional<WriteStream> now = stream;
        return now.isPresent() && now.get().isOpen() ? now.get() : reopen();
    }

    private synchronized WriteStream reopen() throws IOException {
        long deadline = nanoTime.getAsLong() + timeout.toNanos();
        while (true) {
            if (closed) {
                throw new IOException("the mount is closed");
            }
            if (stream.isPresent() && stream.get().isOpen()) {
                return stream.get();
            }
            List<WorkerInfo> live = directory.workers();
            Optional<String> chosen = writers.choose(live, stream.map(WriteStream::address));
            if (chosen.isPresent()) {
                WriteStream opened = peers.writes(chosen.get(), name, options.durability() == Durability.UPLOADED);
                stream = Optional.of(opened);
                return opened;
            }
            long left = deadline - nanoTime.getAsLong();
            if (left <= 0) {
                throw new UnavailableException(
                        "no worker of %s is alive after %d s: start one with this mount (packing worker), or check that it reaches the BDT master"
                                .formatted(options.store().location().text(), timeout.toSeconds()));
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new java.io.InterruptedIOException("interrupted while no worker is alive");
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        notifyAll();
        stream.ifPresent(WriteStream::close);
        peers.close();
        store.close();
        directory.close();
    }
}
