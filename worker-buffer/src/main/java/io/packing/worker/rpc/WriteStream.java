// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Context;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.NewFile;
import io.packing.worker.api.TracedMount;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A stream of small files to one worker, in batches: files that arrive while batches are under way share the next one.
 * When the stream breaks, all files without an answer fail and it stays broken. Thread-safe: this object's monitor
 * guards the state; messages are sent and futures complete outside of it.
 */
public final class WriteStream implements AutoCloseable {
    private static final int FILES_PER_BATCH = 128;
    private static final int BYTES_PER_BATCH = 1 << 20;
    /** The most batches without an answer when the worker answers soon. */
    static final int FEW_BATCHES = WriteCall.BATCHES_TAKEN;
    /**
     * The number of files without an answer up to which each goes at once. A writer that waits for each file has no
     * other to share a batch with, and would wait for other writers' files.
     */
    private static final int FEW_FILES = 64;
    /** The most batches without an answer when it comes after an upload, which they share. */
    static final int MANY_BATCHES = 128;
    /** The bytes without an answer at which callers wait. */
    private static final long MOST_PENDING_BYTES = 64L << 20;
    /** The weight of a file without its bytes. */
    private static final int FILE_OVERHEAD_BYTES = 512;

    private record Pending(
            FilePath path, CreateOptions options, ByteString data, Span span, CompletableFuture<FileVersion> future) {
        long weight() {
            // A character takes up to three bytes in a message.
            int characters = path.value().length()
                    + options.append().map(to -> to.path().value().length()).orElse(0);
            return data.size() + 3L * characters + options.extra().bytes() + FILE_OVERHEAD_BYTES;
        }
    }

    private final String address;
    private final String mount;
    private final int mostBatches;
    private final Deque<Pending> waiting = new ArrayDeque<>();
    private final Map<Long, List<Pending>> underWay = new HashMap<>();
    private long sequence;
    private int filesUnderWay;
    private long pendingBytes;
    private boolean sending;
    private @Nullable UnavailableException broken;
    private boolean leaving;
    private @Nullable ClientCallStreamObserver<WriteBatch> requests;

    private WriteStream(String address, String mount, int mostBatches) {
        this.mostBatches = mostBatches;
        this.address = address;
        this.mount = mount;
    }

    static WriteStream open(PeerGrpc.PeerStub peer, String address, String mount, int mostBatches) {
        WriteStream stream = new WriteStream(address, mount, mostBatches);
        // Use the root context: a call that the thread serves would cancel the stream at its end.
        Context.ROOT.run(() -> {
            StreamObserver<WriteBatch> unused = peer.write(stream.new Replies());
        });
        return stream;
    }

    /** Returns whether a caller can still write: the stream is not broken, and its worker does not leave. */
    public synchronized boolean isOpen() {
        return broken == null && !leaving;
    }

    /** Notes that the worker leaves: it answers the files under way, and callers write no more. */
    public synchronized void leave() {
        leaving = true;
    }

    /** Returns the worker's address. */
    public String address() {
        return address;
    }

    /**
     * Writes a file. It does not copy the bytes: the caller must not change them until the future is done. Waits while
     * too much is under way.
     */
    public CompletableFuture<FileVersion> put(FilePath path, ByteBuffer bytes, CreateOptions options) {
        CompletableFuture<FileVersion> done = handOver(path, bytes, options, CurrentSpan.get());
        pump();
        return done;
    }

    /**
     * Writes some files, which share batches even when few others are under way; otherwise as {@link #put}.
     *
     * @param closes the span of each file
     */
    public List<CompletableFuture<FileVersion>> putAll(List<NewFile> files, List<Span> closes) {
        List<CompletableFuture<FileVersion>> all = new ArrayList<>(files.size());
        // A file that waits for room is sent by the thread that takes the answers to earlier ones.
        for (int i = 0; i < files.size(); i++) {
            NewFile file = files.get(i);
            all.add(handOver(file.path(), file.bytes(), file.options(), closes.get(i)));
        }
        pump();
        return all;
    }

    private CompletableFuture<FileVersion> handOver(
            FilePath path, ByteBuffer bytes, CreateOptions options, Span partOf) {
        Span span = partOf.child("put", Span.Kind.CLIENT).with("packing.bytes", bytes.remaining());
        CompletableFuture<FileVersion> done = handOver(
                new Pending(path, options, UnsafeByteOperations.unsafeWrap(bytes), span, new CompletableFuture<>()));
        return TracedMount.until(span, done);
    }

    private CompletableFuture<FileVersion> handOver(Pending pending) {
        try {
            synchronized (this) {
                while (broken == null && pendingBytes > 0 && pendingBytes + pending.weight() > MOST_PENDING_BYTES) {
                    wait();
                }
                if (broken != null) {
                    return CompletableFuture.failedFuture(broken);
                }
                pendingBytes += pending.weight();
                waiting.add(pending);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(
                    new InterruptedIOException("interrupted before %s was sent".formatted(pending.path())));
        }
        return pending.future();
    }

    /**
     * Sends the waiting files, as far as the worker takes them. Only one thread sends; the others leave their files to
     * it.
     */
    private void pump() {
        while (true) {
            WriteBatch message;
            ClientCallStreamObserver<WriteBatch> to;
            synchronized (this) {
                to = requests;
                if (sending || broken != null || to == null || waiting.isEmpty() || isFull() || !to.isReady()) {
                    return;
                }
                message = nextBatch();
                sending = true;
            }
            Throwable failure = null;
            try {
                to.onNext(message);
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            synchronized (this) {
                sending = false;
            }
            if (failure != null) {
                fail(failure);
            }
        }
    }

    private boolean isFull() {
        return underWay.size() >= mostBatches && filesUnderWay >= FEW_FILES;
    }

    private WriteBatch nextBatch() {
        WriteBatch.Builder message = WriteBatch.newBuilder().setMount(mount).setSequence(++sequence);
        List<Pending> batch = new ArrayList<>();
        long bytes = 0;
        for (Pending next = waiting.peek();
                next != null
                        && (batch.isEmpty()
                                || (batch.size() < FILES_PER_BATCH && bytes + next.weight() <= BYTES_PER_BATCH));
                next = waiting.peek()) {
            batch.add(waiting.remove());
            bytes += next.weight();
            SmallFile.Builder file = message.addFilesBuilder()
                    .setCreation(WriteCodec.creation(next.path(), next.options()))
                    .setData(next.data());
            if (next.span().isRecorded()) {
                file.setSpan(
                        UnsafeByteOperations.unsafeWrap(next.span().context().toBytes()));
            }
        }
        underWay.put(sequence, batch);
        filesUnderWay += batch.size();
        return message.build();
    }

    private void answered(WriteBatchReply reply) {
        List<Pending> batch;
        synchronized (this) {
            batch = underWay.remove(reply.getSequence());
            if (batch == null) {
                return;
            }
            filesUnderWay -= batch.size();
            batch.forEach(pending -> pendingBytes -= pending.weight());
            notifyAll();
        }
        pump();
        for (int i = 0; i < batch.size(); i++) {
            Pending pending = batch.get(i);
            if (i >= reply.getResultsCount()) {
                pending.future()
                        .completeExceptionally(
                                new IOException("worker at %s answered too few files".formatted(address)));
            } else {
                answered(pending, reply.getResults(i));
            }
        }
    }

    private void answered(Pending pending, WriteResult result) {
        if (WriteCodec.isLeaving(result)) {
            leave();
        }
        if (!WriteCodec.isStored(result)) {
            pending.future().completeExceptionally(WriteCodec.exception(pending.path(), address, result));
            return;
        }
        FileVersion version;
        try {
            version = WriteCodec.version(result);
        } catch (IllegalArgumentException e) {
            // The other files of its batch have good answers.
            pending.future()
                    .completeExceptionally(
                            new IOException("worker at %s: its answer makes no sense: %s".formatted(address, e), e));
            return;
        }
        pending.future().complete(version);
    }

    private void fail(Throwable cause) {
        UnavailableException failure = new UnavailableException(
                "worker at %s: the stream of files broke (%s); whether the files without an answer were stored is unknown"
                        .formatted(address, cause.getMessage()),
                cause);
        List<Pending> all = new ArrayList<>();
        synchronized (this) {
            if (broken != null) {
                return;
            }
            broken = failure;
            underWay.values().forEach(all::addAll);
            all.addAll(waiting);
            underWay.clear();
            waiting.clear();
            notifyAll();
        }
        all.forEach(pending -> pending.future().completeExceptionally(failure));
    }

    /** Gives up the stream and all files without an answer. */
    @Override
    public void close() {
        ClientCallStreamObserver<WriteBatch> to;
        synchronized (this) {
            to = requests;
        }
        if (to != null && !isBroken()) {
            to.cancel("closed", null);
        }
        fail(new IOException("closed by this process"));
    }

    private synchronized boolean isBroken() {
        return broken != null;
    }

    private final class Replies implements ClientResponseObserver<WriteBatch, WriteBatchReply> {
        @Override
        public void beforeStart(ClientCallStreamObserver<WriteBatch> stream) {
            synchronized (WriteStream.this) {
                requests = stream;
            }
            stream.setOnReadyHandler(WriteStream.this::pump);
        }

        @Override
        public void onNext(WriteBatchReply reply) {
            answered(reply);
        }

        @Override
        public void onError(Throwable cause) {
            fail(cause);
        }

        @Override
        public void onCompleted() {
            fail(new IOException("ended by the worker"));
        }
    }
}
