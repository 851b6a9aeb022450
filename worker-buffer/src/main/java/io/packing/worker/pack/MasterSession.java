// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.FencedException;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.SessionExpiredException;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileVersion;
import io.packing.loop.RareLog;
import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.buffer.PushReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The worker's session with the master, and the heartbeats that carry commits (§6.3). Thread-safe. */
public final class MasterSession implements AutoCloseable {
    private static final long BEAT_MILLIS = 1_000;
    private static final int RECLAIM_PAGE = 10_000;
    /** The most beats between the looks of a fenced worker at the other process; it looks often at first. */
    private static final int MOST_BEATS_BETWEEN_LOOKS = 32;

    private static final Logger LOG = LoggerFactory.getLogger(MasterSession.class);

    private final Bdt bdt;
    private final WorkerRegistration registration;
    private final FileBuffer buffer;
    private final WorkerLocalBdt localBdt;
    private final ActivityMeter activity;
    private final BeatNews news;
    private final FollowedOrders followed = new FollowedOrders();
    private final List<WorkerLocalBdt.Push> pushes = new ArrayList<>();
    private volatile WorkerSession session;
    private volatile Optional<String> fenced = Optional.empty();
    /** The number of vain tries to come back, and the beats until the next one. Confined to the heartbeat. */
    private int looks;

    private int beatsToLook;
    /** True while the session has not learned of all buffered files. Guarded by {@link #renewing}. */
    private boolean reclaimOwed;

    private volatile boolean leaving;
    /** The span of the last push that no heartbeat has carried. */
    private Span pushed = Span.NONE;

    private final Semaphore kicks = new Semaphore(0);
    private final Object renewing = new Object();

    private MasterSession(
            Bdt bdt,
            WorkerRegistration registration,
            FileBuffer buffer,
            WorkerLocalBdt localBdt,
            ActivityMeter activity,
            BeatNews news,
            WorkerSession session) {
        this.activity = activity;
        this.news = news;
        this.bdt = bdt;
        this.registration = registration;
        this.buffer = buffer;
        this.localBdt = localBdt;
        this.session = session;
    }

    /** Registers, reclaims the files in the buffer, and commits the pushes of an earlier process again. */
    public static MasterSession open(
            Bdt bdt,
            WorkerRegistration registration,
            FileBuffer buffer,
            WorkerLocalBdt localBdt,
            ActivityMeter activity,
            BeatNews news)
            throws IOException {
        MasterSession opened = new MasterSession(
                bdt, registration, buffer, localBdt, activity, news, PatientRegistration.register(bdt, registration));
        opened.pushes.addAll(localBdt.uncommitted());
        for (WorkerLocalBdt.Push push : opened.pushes) {
            for (CommittedFile file : push.files()) {
                buffer.reclaims().alreadyPushed(file);
            }
        }
        opened.reclaim();
        return opened;
    }

    /**
     * Asks for all files by their ids. Those in doubt go along with the others: a master that has recovered its table learns from an earlier
     * file of the same path how old they are at most.
     */
    private void reclaim() throws IOException {
        long after = -1;
        for (List<Reclaim> page = page(after); !page.isEmpty(); page = page(after)) {
            after = page.get(page.size() - 1).version().id();
            long last = page.size() < RECLAIM_PAGE ? Long.MAX_VALUE : after;
            Stream<Reclaim> doubts = buffer.reclaims().doubts().stream()
                    .filter(each -> each.version().id() <= last);
            reclaim(Stream.concat(page.stream(), doubts)
                    .sorted(Comparator.comparingLong(each -> each.version().id()))
                    .toList());
        }
        reclaim(buffer.reclaims().doubts());
        session.reclaimed();
    }

    private List<Reclaim> page(long after) throws IOException {
        return buffer.reclaims().page(after, RECLAIM_PAGE);
    }

    private void reclaim(List<Reclaim> asked) throws IOException {
        List<Optional<FileVersion>> answers = session.reclaim(asked);
        for (int i = 0; i < asked.size(); i++) {
            buffer.reclaims().answered(asked.get(i), answers.get(i));
        }
    }

    /** Claims a file; when the master has forgotten the session, claims it once more with a new one. */
    public CompletableFuture<ClaimResult> claim(Claim wanted) {
        if (isFenced()) {
            return CompletableFuture.failedFuture(new FencedException(fenced.orElse("")));
        }
        WorkerSession first = session;
        return first.claim(wanted).exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof FencedException) {
                // The heartbeat finds out if this process renewed the session, or another one has the id.
                kick();
            }
            if (!(cause instanceof SessionExpiredException)) {
                return CompletableFuture.failedFuture(cause);
            }
            // Not on the thread that brings answers: a registration waits for one.
            return CompletableFuture.supplyAsync(() -> renewed(first)).thenCompose(next -> next.claim(wanted));
        });
    }

    /** Returns the newest position that the master has answered; a claim that is sent after this call gets a later one. */
    public long newestPosition() {
        return session.newestPosition();
    }

    /** Runs a task that claims several files; they share one request. */
    public void together(Runnable claims) {
        session.together(claims);
    }

    private WorkerSession renewed(WorkerSession expired) {
        try {
            renew(expired);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
        return session;
    }

    /** Registers again and reclaims, unless another thread did so since. */
    private void renew(WorkerSession expired) throws IOException {
        synchronized (renewing) {
            if (session == expired) {
                replace(bdt.register(registration.after(expired.sessionEpoch())));
            }
            reclaimOwed();
        }
    }

    private void replace(WorkerSession next) {
        WorkerSession before = session;
        session = next;
        reclaimOwed = true;
        before.close();
    }

    /** Reclaims all buffered files in a new session, if an earlier try failed. */
    private void reclaimOwed() throws IOException {
        synchronized (renewing) {
            if (reclaimOwed) {
                reclaim();
                reclaimOwed = false;
            }
        }
    }

    /** Returns the session to claim with. */
    public WorkerSession session() throws IOException {
        Optional<String> why = fenced;
        if (why.isPresent()) {
            throw new FencedException(why.get());
        }
        return session;
    }

    /**
     * Stops writes because another process has the worker's id, and fails waiting writers, until that process is gone.
     */
    private void fence(WorkerSession refused, IOException cause) {
        synchronized (renewing) {
            if (session != refused) {
                // A claim of this process renewed the session meanwhile.
                return;
            }
        }
        String why =
                ("worker %s is fenced: another process took its id over (%s). This one refuses writes until the other"
                                + " has ended, and then goes on with its buffered files; give each worker an id of its own")
                        .formatted(registration.worker(), cause.getMessage());
        LOG.error("{}", why);
        looks = 0;
        beatsToLook = 1;
        fenced = Optional.of(why);
        buffer.uploads().halt(() -> new FencedException(why));
    }

    /** Registers again when the other process is gone; the master then decides which buffered files it still wants. */
    private void comeBack() {
        if (--beatsToLook > 0) {
            return;
        }
        try {
            WorkerSession next = bdt.register(registration.waiting());
            synchronized (renewing) {
                replace(next);
            }
            fenced = Optional.empty();
            buffer.uploads().resume();
            LOG.info("worker {} has its id again and goes on", registration.worker());
        } catch (IOException | IllegalArgumentException e) {
            looks++;
            beatsToLook = Math.min(MOST_BEATS_BETWEEN_LOOKS, 1 << Math.min(looks, 10));
            if (RareLog.tells(looks)) {
                LOG.warn("worker {} is fenced still, {} times: {}", registration.worker(), looks, e.getMessage());
            }
        }
    }

    /** Notes the files that a push completed, and queues them for the next heartbeat. */
    void add(PushReport report) throws IOException {
        WorkerLocalBdt.Push push = localBdt.pushed(report.blobs(), report.files());
        activity.pushed(report.blobs(), report.files());
        synchronized (this) {
            pushes.add(push);
            pushed = CurrentSpan.get();
        }
        kick();
    }

    /** Returns the number of files that are pushed and not committed. */
    public synchronized int waiting() {
        return pushes.stream().mapToInt(push -> push.files().size()).sum();
    }

    /** Returns this worker's activity for the mount so far. */
    public WorkerActivity activity() {
        return activity.now();
    }

    /** Sends the next heartbeat at once. */
    public void kick() {
        kicks.release();
    }

    /** Waits until the next heartbeat is due. */
    public void awaitBeat() throws InterruptedException {
        if (kicks.tryAcquire(BEAT_MILLIS, TimeUnit.MILLISECONDS)) {
            kicks.drainPermits();
        }
    }

    /** Sends one heartbeat, or tries to come back after another process had this worker's id. */
    public void step() throws IOException {
        if (isFenced()) {
            comeBack();
            return;
        }
        WorkerSession current = session;
        try {
            reclaimOwed();
            beat(current, leaving ? Heartbeat.Presence.LEAVES : Heartbeat.Presence.STAYS);
        } catch (SessionExpiredException e) {
            try {
                renew(current);
            } catch (WorkerInUseException taken) {
                if (!taken.isPresumed()) {
                    fence(current, taken);
                }
                // Otherwise the master knows no other process, and perhaps only this one: the next beat asks again.
            }
        } catch (FencedException e) {
            fence(current, e);
        }
    }

    /** Returns whether the master has asked this worker to leave. */
    public boolean isLeaving() {
        return leaving;
    }

    /** Ends the worker's time in the mount: it holds no file, and takes none any more. */
    public void left() throws IOException {
        beat(session, Heartbeat.Presence.LEFT);
    }

    private void beat(WorkerSession current, Heartbeat.Presence presence) throws IOException {
        List<WorkerLocalBdt.Push> sent;
        Span last;
        synchronized (this) {
            sent = List.copyOf(pushes);
            last = pushed;
            pushed = Span.NONE;
        }
        List<PushedBlob> blobs = new ArrayList<>();
        List<CommittedFile> files = new ArrayList<>();
        sent.forEach(push -> {
            blobs.addAll(push.blobs());
            files.addAll(push.files());
        });
        HeartbeatReply reply;
        try (CurrentSpan.Bound bound = CurrentSpan.bind(last)) {
            Heartbeat heartbeat = new Heartbeat(
                    buffer.bufferedFiles(), buffer.bufferedBytes(), blobs, files, activity.now(), presence);
            reply = current.heartbeat(news.signed(heartbeat.following(followed.in(current))));
        }
        synchronized (this) {
            pushes.subList(0, sent.size()).clear();
        }
        // The master commits before the buffer forgets: a crash may leave a duplicate, never a hole.
        buffer.forget(files);
        if (!sent.isEmpty()) {
            localBdt.committed(sent);
        }
        obey(reply);
        followed.follow(current, reply.lastDrop());
        List<Reclaim> doubts = buffer.reclaims().doubts();
        if (!doubts.isEmpty()) {
            reclaim(doubts);
        }
        if (reply.leave()) {
            leaving = true;
        }
        if (reply.sealNow() || leaving) {
            buffer.requestRoll();
        }
        news.heard(reply);
    }

    private void obey(HeartbeatReply reply) throws IOException {
        Set<Long> deleted = Set.copyOf(reply.deleted());
        for (long id : reply.drop()) {
            if (deleted.contains(id)) {
                buffer.delete(id);
            } else {
                buffer.forget(id);
            }
        }
        buffer.journalled(reply.position(), reply.journalled());
    }

    public boolean isFenced() {
        return fenced.isPresent();
    }

    @Override
    public void close() {
        session.close();
    }
}
