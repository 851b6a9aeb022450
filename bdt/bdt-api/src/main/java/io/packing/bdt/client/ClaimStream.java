// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.MovedException;
import io.packing.bdt.NotLeaderException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.ClaimBatch;
import io.packing.bdt.rpc.ClaimBatchReply;
import io.packing.bdt.rpc.ClaimCodec;
import io.packing.bdt.rpc.ClaimMessage;
import io.packing.bdt.rpc.MountNotOpenException;
import io.packing.bdt.rpc.Session;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one session, batched over one stream: claims that arrive while a batch is under way become the next
 * one.
 *
 * <p>When the stream breaks, the unanswered claims are sent again over a new one; claims are idempotent by their file
 * id. Thread-safe: this object's monitor guards the state, and futures complete outside of it.
 */
final class ClaimStream {
    /** The batches under way: two, so that the master applies one while the other travels. */
    private static final int BATCHES_UNDER_WAY = 2;

    /**
     * The number of unanswered claims up to which each is sent at once: few writers should not wait for each other's
     * answers.
     */
    private static final int FEW_CLAIMS = BdtLimits.CLAIM_BATCHES;

    private static final int CLAIMS_PER_BATCH = BdtLimits.CLAIMS;
    /** The bytes of paths and attributes in a batch, which may be long; at three bytes a character they still fit in a message. */
    private static final int BYTES_PER_BATCH = 512 << 10;
    /** The number of unanswered claims at which callers wait. */
    private static final int MOST_PENDING = 65_536;

    private record Pending(Claim claim, long deadline, Span span, CompletableFuture<ClaimResult> future) {
        ClaimMessage message() {
            ClaimMessage message = ClaimCodec.encode(claim);
            return span.isRecorded()
                    ? message.toBuilder()
                            .setSpan(UnsafeByteOperations.unsafeWrap(
                                    span.context().toBytes()))
                            .build()
                    : message;
        }

        void ended(@Nullable Throwable failure) {
            if (failure != null) {
                span.failed(failure.toString());
            }
            span.close();
        }
    }

    private final MountCalls mount;
    private final ClientTimer timer;
    private final Function<String, Session> session;
    private final Semaphore room = new Semaphore(MOST_PENDING);

    private final Deque<Pending> waiting = new ArrayDeque<>();
    private final Deque<List<Pending>> underWay = new ArrayDeque<>();
    private @Nullable Stream stream;
    private int claimsUnderWay;
    /** The callers that have not made all of the claims that share messages. */
    private int gathering;
    /** The callers that wait until claims are answered. */
    private int waitingForRoom;

    private int failures;
    private boolean pausing;
    private boolean closed;

    ClaimStream(MountCalls mount, ClientTimer timer, Function<String, Session> session) {
        this.mount = mount;
        this.timer = timer;
        this.session = session;
    }

    CompletableFuture<ClaimResult> claim(Claim claim) {
        takeRoom();
        Pending pending = new Pending(
                claim,
                mount.master().retry().deadline(),
                CurrentSpan.get().child("claim", Span.Kind.CLIENT),
                new CompletableFuture<>());
        CompletableFuture<ClaimResult> result = pending.future.whenComplete((done, failed) -> {
            room.release();
            pending.ended(failed);
        });
        synchronized (this) {
            if (!closed) {
                waiting.add(pending);
                pump();
                return result;
            }
        }
        pending.future.completeExceptionally(new UnavailableException("the session is closed"));
        return result;
    }

    /**
     * Waits while too many claims have no answer. It sends also the claims of unfinished groups meanwhile, since only
     * their answers make room.
     */
    private void takeRoom() {
        if (room.tryAcquire()) {
            return;
        }
        synchronized (this) {
            waitingForRoom++;
            pump();
        }
        room.acquireUninterruptibly();
        synchronized (this) {
            waitingForRoom--;
        }
    }

    /** Sends no claim until the task, which claims several files, has ended, or waits for room. */
    void together(Runnable claims) {
        synchronized (this) {
            gathering++;
        }
        try {
            claims.run();
        } finally {
            synchronized (this) {
                gathering--;
                pump();
            }
        }
    }

    void close() {
        end("the session is closed");
    }

    /** Fails all claims, also later ones. */
    private void end(String why) {
        Stream open;
        synchronized (this) {
            closed = true;
            open = stream;
            stream = null;
        }
        if (open != null) {
            open.cancel();
        }
        failAll(new UnavailableException(why));
    }

    private boolean isFull() {
        return underWay.size() >= BATCHES_UNDER_WAY && claimsUnderWay >= FEW_CLAIMS;
    }

    private synchronized void pump() {
        while (!closed && !pausing && (gathering == 0 || waitingForRoom > 0) && !waiting.isEmpty() && !isFull()) {
            Stream old = stream;
            Stream to = old == null ? new Stream() : old;
            stream = to;
            List<Pending> batch = new ArrayList<>();
            underWay.add(batch);
            try {
                send(to, old == null, batch);
            } catch (RuntimeException | Error e) {
                // Use another thread: failing claims must not complete under the monitor.
                ForkJoinPool.commonPool().execute(() -> broken(to, e));
                return;
            } finally {
                claimsUnderWay += batch.size();
            }
        }
    }

    private void send(Stream to, boolean first, List<Pending> batch) {
        ClaimBatch.Builder message = ClaimBatch.newBuilder();
        if (first) {
            to.open();
            message.setSession(session.apply(mount.id()));
        }
        long bytes = 0;
        while (!waiting.isEmpty() && batch.size() < CLAIMS_PER_BATCH && bytes < BYTES_PER_BATCH) {
            Pending next = waiting.remove();
            batch.add(next);
            message.addClaims(next.message());
            bytes += next.claim.path().value().length()
                    + next.claim
                            .append()
                            .map(append -> append.path().value().length())
                            .orElse(0)
                    + next.claim.extra().bytes();
        }
        to.send(message.build());
    }

    /**
     * Takes the master's answers on the thread that brings them, so that no other thread wakes up, unless that thread
     * is sending just now. Code that runs with a claim's completion must therefore not wait for another claim.
     */
    private void receive(Runnable task) {
        if (Thread.holdsLock(this)) {
            ForkJoinPool.commonPool().execute(task);
        } else {
            task.run();
        }
    }

    private void answered(Stream from, ClaimBatchReply reply) {
        List<Pending> batch;
        synchronized (this) {
            if (from != stream || underWay.isEmpty()) {
                return;
            }
            failures = 0;
            batch = underWay.remove();
            claimsUnderWay -= batch.size();
            pump();
        }
        for (int i = 0; i < batch.size(); i++) {
            Pending pending = batch.get(i);
            if (i < reply.getAnswersCount()) {
                answered(pending, reply.getAnswers(i));
            } else {
                pending.future.completeExceptionally(new IOException("the master answered too few claims"));
            }
        }
    }

    private static void answered(Pending pending, ClaimBatchReply.Answer answer) {
        ClaimResult result;
        try {
            result = ClaimCodec.result(pending.claim, answer);
        } catch (RuntimeException e) {
            // The other claims of its batch have good answers.
            pending.future.completeExceptionally(new IOException("the master's answer makes no sense: " + e, e));
            return;
        }
        pending.future.complete(result);
    }

    private void broken(Stream from, Throwable cause) {
        Exception failure = StatusMapping.toException(cause);
        boolean again = failure instanceof UnavailableException || failure instanceof MountNotOpenException;
        List<Pending> late = new ArrayList<>();
        synchronized (this) {
            if (from != stream) {
                return;
            }
            stream = null;
            if (failure instanceof UnavailableException away) {
                mount.master().unavailable(from.master.getChannel(), away);
            }
            if (again && !closed) {
                failures++;
                pausing = true;
                requeue(late);
            }
        }
        late.forEach(pending -> pending.future.completeExceptionally(
                mount.master().retry().unavailable("claim " + pending.claim.path(), failure)));
        if (again) {
            resumeLater(failure);
        } else {
            failAll(failure);
        }
    }

    /** Puts unanswered claims back in front, in order, except those that are too late. */
    private void requeue(List<Pending> late) {
        while (!underWay.isEmpty()) {
            List<Pending> batch = underWay.removeLast();
            claimsUnderWay -= batch.size();
            for (int i = batch.size() - 1; i >= 0; i--) {
                waiting.addFirst(batch.get(i));
            }
        }
        waiting.removeIf(pending -> mount.master().retry().isPast(pending.deadline) && late.add(pending));
    }

    private void resumeLater(Exception failure) {
        boolean named = failures < Retry.MOST_HOPS
                && (failure instanceof MovedException
                        || (failure instanceof NotLeaderException other
                                && other.leader().isPresent()));
        long millis = named ? 0 : mount.master().retry().backoffMillis(failures);
        timer.later(millis, () -> resume(failure), () -> end("the client is closed"));
    }

    private void resume(Exception failure) {
        try {
            if (failure instanceof MountNotOpenException) {
                mount.reopen();
            } else if (failure instanceof MovedException moved) {
                mount.follow(moved);
            } else {
                mount.master().reconnect();
            }
        } catch (IOException | RuntimeException e) {
            failAll(e);
        } catch (Error e) {
            failAll(new IOException("the claims could not be sent again: " + e, e));
            throw e;
        } finally {
            synchronized (this) {
                pausing = false;
                pump();
            }
        }
    }

    private void failAll(Exception failure) {
        List<Pending> all;
        synchronized (this) {
            all = new ArrayList<>();
            underWay.forEach(all::addAll);
            all.addAll(waiting);
            underWay.clear();
            claimsUnderWay = 0;
            waiting.clear();
        }
        all.forEach(pending -> pending.future.completeExceptionally(failure));
    }

    /** One attempt at a stream; when it breaks another one takes over. */
    private final class Stream implements StreamObserver<ClaimBatchReply> {
        private @Nullable StreamObserver<ClaimBatch> requests;
        private final BdtGrpc.BdtStub master = mount.master().async().withExecutor(ClaimStream.this::receive);

        void open() {
            // Use the root context: a call that the thread serves would cancel the stream at its end.
            Context.ROOT.run(() -> requests = master.claims(this));
        }

        void send(ClaimBatch batch) {
            if (requests == null) {
                throw new IllegalStateException("the stream of claims was not opened");
            }
            requests.onNext(batch);
        }

        void cancel() {
            if (requests != null) {
                requests.onError(Status.CANCELLED.asRuntimeException());
            }
        }

        @Override
        public void onNext(ClaimBatchReply reply) {
            answered(this, reply);
        }

        @Override
        public void onError(Throwable cause) {
            broken(this, cause);
        }

        @Override
        public void onCompleted() {
            broken(
                    this,
                    Status.UNAVAILABLE
                            .withDescription("the master ended the stream")
                            .asRuntimeException());
        }
    }
}
