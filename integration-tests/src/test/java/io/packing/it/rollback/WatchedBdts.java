// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import io.packing.bdt.Bdt;
import io.packing.bdt.Bdts;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FingerprintPage;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.NotedContent;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WantedContent;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileVersion;
import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A worker's connection to its master that knows which claims of the worker have no answer. Thread-safe. */
final class WatchedBdts implements Bdts {
    /** The heartbeats after a claim that failed until the worker has asked the master about it: one may be under way. */
    private static final int BEATS_OF_A_DOUBT = 2;

    private final Bdts bdts;
    private int unanswered;
    private long beats;
    private long settledAt;
    /** The time at which the last session began. */
    private long openedAt = System.nanoTime();
    /** The time at which the last heartbeat was sent that the master answered. */
    private long heardAt = System.nanoTime();

    WatchedBdts(Bdts bdts) {
        this.bdts = bdts;
    }

    /** Returns whether the master has decided about each file that the worker has claimed. */
    synchronized boolean isSettled() {
        return unanswered == 0 && beats >= settledAt;
    }

    private synchronized void claims() {
        unanswered++;
    }

    private synchronized void ended(@Nullable Throwable failure) {
        unanswered--;
        if (failure != null) {
            settledAt = beats + BEATS_OF_A_DOUBT;
        }
    }

    private synchronized void beat(long sentAt) {
        beats++;
        heardAt = sentAt;
    }

    private synchronized WorkerSession opened(WorkerSession session) {
        openedAt = System.nanoTime();
        return new Watched(session);
    }

    /** Returns how long the master may have heard nothing of this worker, at most, when the session of another process began. */
    Duration silenceBefore(WatchedBdts other) {
        long began;
        synchronized (other) {
            began = other.openedAt;
        }
        synchronized (this) {
            return Duration.ofNanos(began - heardAt);
        }
    }

    @Override
    public Bdt open(Map<String, String> options) throws IOException {
        Bdt bdt = bdts.open(options);
        return (Bdt) Proxy.newProxyInstance(
                Bdt.class.getClassLoader(), new Class<?>[] {Bdt.class}, (proxy, method, arguments) -> {
                    Object result = call(bdt, method, arguments);
                    return result instanceof WorkerSession session ? opened(session) : result;
                });
    }

    private static @Nullable Object call(Bdt bdt, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(bdt, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    @Override
    public KeyRing tokenKeys() throws IOException {
        return bdts.tokenKeys();
    }

    @Override
    public void close() {
        bdts.close();
    }

    private final class Watched implements WorkerSession {
        private final WorkerSession session;

        Watched(WorkerSession session) {
            this.session = session;
        }

        @Override
        public long sessionEpoch() {
            return session.sessionEpoch();
        }

        @Override
        public long newestPosition() {
            return session.newestPosition();
        }

        @Override
        public long newFileId() throws IOException {
            return session.newFileId();
        }

        @Override
        public CompletableFuture<ClaimResult> claim(Claim claim) {
            claims();
            return session.claim(claim).whenComplete((result, failure) -> ended(failure));
        }

        @Override
        public void together(Runnable claims) {
            session.together(claims);
        }

        @Override
        public List<Boolean> known(List<WantedContent> contents) throws IOException {
            return session.known(contents);
        }

        @Override
        public void note(List<NotedContent> contents) throws IOException {
            session.note(contents);
        }

        @Override
        public FingerprintPage fingerprints(long list, long after) throws IOException {
            return session.fingerprints(list, after);
        }

        @Override
        public List<Optional<FileVersion>> reclaim(List<Reclaim> buffered) throws IOException {
            return session.reclaim(buffered);
        }

        @Override
        public void reclaimed() throws IOException {
            session.reclaimed();
        }

        @Override
        public HeartbeatReply heartbeat(Heartbeat heartbeat) throws IOException {
            long sentAt = System.nanoTime();
            HeartbeatReply reply = session.heartbeat(heartbeat);
            beat(sentAt);
            return reply;
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
