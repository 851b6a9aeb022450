// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.packing.blob.FileVersion;
import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.spans.SpanContext;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of one stream of batches. It requests another batch only when one is answered, so a client holds a
 * bounded part of this process's memory. gRPC calls it on one thread at a time; files complete on any.
 */
final class WriteCall implements StreamObserver<WriteBatch> {
    static final int BATCHES_TAKEN = 4;

    private final PeerServer.Served served;
    private final ServerCallStreamObserver<WriteBatchReply> replies;
    private int unanswered;
    /** The batches that the call does not request, because the client takes no replies. */
    private int withheld;

    private boolean halfClosed;
    private boolean ended;

    private WriteCall(PeerServer.Served served, ServerCallStreamObserver<WriteBatchReply> replies) {
        this.served = served;
        this.replies = replies;
    }

    static StreamObserver<WriteBatch> start(
            PeerServer.Served served, ServerCallStreamObserver<WriteBatchReply> replies) {
        WriteCall call = new WriteCall(served, replies);
        // With a handler, gRPC drops replies to a client that is gone; without one it throws.
        replies.setOnCancelHandler(call::end);
        replies.setOnReadyHandler(call::ready);
        replies.disableAutoRequest();
        replies.request(BATCHES_TAKEN);
        return call;
    }

    @Override
    public void onNext(WriteBatch message) {
        synchronized (this) {
            unanswered++;
        }
        Batch batch = new Batch(message.getSequence(), message.getFilesCount());
        for (int i = 0; i < message.getFilesCount(); i++) {
            int at = i;
            CompletableFuture<FileVersion> unused = put(message.getMount(), message.getFiles(i))
                    .whenComplete((version, failure) -> {
                        batch.set(at, failure == null ? WriteCodec.stored(version) : WriteCodec.failed(failure));
                        batch.countDown();
                    });
        }
        batch.countDown();
        // Request one now, not with the answer: a file may wait for its upload in the buffer, and {@code put} waits
        // while that is full.
        synchronized (this) {
            withheld++;
        }
        ready();
    }

    /** Requests more batches if the client takes the replies. */
    private void ready() {
        int more;
        synchronized (this) {
            more = replies.isReady() ? withheld : 0;
            withheld -= more;
        }
        if (more > 0) {
            replies.request(more);
        }
    }

    private CompletableFuture<FileVersion> put(String mount, SmallFile file) {
        Span caller = file.getSpan().isEmpty()
                ? Span.NONE
                : Span.elsewhere(SpanContext.ofBytes(file.getSpan().toByteArray()));
        try (CurrentSpan.Bound bound = CurrentSpan.bind(caller)) {
            return served.put(
                    mount,
                    WriteCodec.path(file.getCreation()),
                    WriteCodec.options(file.getCreation(), PeerCaller.user()),
                    file.getData().asReadOnlyByteBuffer());
        } catch (IOException | RuntimeException | Error e) {
            // The other files of the batch wait for this one's answer.
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized void answer(long sequence, List<WriteResult> results) {
        unanswered--;
        if (ended) {
            return;
        }
        replies.onNext(WriteBatchReply.newBuilder()
                .setSequence(sequence)
                .addAllResults(results)
                .build());
        completeWhenDone();
    }

    private synchronized void end() {
        ended = true;
    }

    private void completeWhenDone() {
        if (halfClosed && unanswered == 0 && !ended) {
            ended = true;
            replies.onCompleted();
        }
    }

    @Override
    public void onError(Throwable cause) {
        end();
    }

    @Override
    public synchronized void onCompleted() {
        halfClosed = true;
        completeWhenDone();
    }

    /** The results of one batch; the thread that counts down last sends them. */
    private final class Batch {
        private final long sequence;
        private final @Nullable WriteResult[] results;
        private final AtomicInteger left;

        Batch(long sequence, int files) {
            this.sequence = sequence;
            this.results = new WriteResult[files];
            this.left = new AtomicInteger(files + 1);
        }

        void set(int at, WriteResult result) {
            results[at] = result;
        }

        void countDown() {
            if (left.decrementAndGet() == 0) {
                answer(
                        sequence,
                        Arrays.stream(results).map(Objects::requireNonNull).toList());
            }
        }
    }
}
