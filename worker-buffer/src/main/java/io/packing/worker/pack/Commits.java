package io.packing.worker.pack;

import io.packing.bdt.BlobDirectory;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.FencedException;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.SessionExpiredException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileVersion;
import io.packing.worker.buffer.FileBuffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The worker's talk with the master: its session, and the heartbeats that carry commits (§6.3). Thread-safe. */
public final class Commits implements AutoCloseable {
    private static final long BEAT_MILLIS = 1_000;
    private static final int RECLAIM_PAGE = 10_000;

    private final BlobDirectory directory;
    private final WorkerRegistration registration;
    private final FileBuffer buffer;
    private final LocalBdt localBdt;
    private final List<LocalBdt.Push> pushes = new ArrayList<>();
    private volatile WorkerSession session;
    private volatile boolean fenced;
    private final Semaphore kicks = new Semaphore(0);
    private final Object renewing = new Object();

    private Commits(
            BlobDirectory directory,
            WorkerRegistration registration,
            FileBuffer buffer,
            LocalBdt localBdt,
            WorkerSession session) {
        this.directory = directory;
        this.registration = registration;
        this.buffer = buffer;
        this.localBdt = localBdt;
        this.session = session;
    }

    /** Registers and reclaims what the buffer holds from before; what was pushed before is committed again. */
    public static Commits start(
            BlobDirectory directory, WorkerRegistration registration, FileBuffer buffer, LocalBdt localBdt)
            throws IOException {
        Commits commits = new Commits(directory, registration, buffer, localBdt, directory.register(registration));
        commits.pushes.addAll(localBdt.uncommitted());
        for (LocalBdt.Push push : commits.pushes) {
            for (CommittedFile file : push.files()) {
                buffer.reclaims().alreadyPushed(file);
            }
        }
        commits.reclaim();
        return commits;
    }

    private void reclaim() throws IOException {
        long after = -1;
        for (List<Reclaim> page = page(after); !page.isEmpty(); page = page(after)) {
            reclaim(page);
            after = page.get(page.size() - 1).version().id();
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

    /** Claims a file; when the master has forgotten the session, once more with a new one. */
    public CompletableFuture<ClaimResult> claim(Claim wanted) {
        WorkerSession first = session;
        return first.claim(wanted).exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof FencedException) {
                // The heartbeat tells a session of our own that was renewed meanwhile from somebody else's.
                kick();
            }
            if (!(cause instanceof SessionExpiredException)) {
                return CompletableFuture.failedFuture(cause);
            }
            // Not on the thread that brings answers: registering waits for one.
            return CompletableFuture.supplyAsync(() -> renewed(first)).thenCompose(next -> next.claim(wanted));
        });
    }

    /** Runs what claims several files; these travel together. */
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

    /** Registers again and reclaims, unless somebody did so since. */
    private void renew(WorkerSession expired) throws IOException {
        synchronized (renewing) {
            if (session == expired) {
                session = directory.register(registration);
                expired.close();
                reclaim();
            }
        }
    }

    /** The session to claim with. */
    public WorkerSession session() throws IOException {
        if (fenced) {
            throw new FencedException(
                    "worker %s: another process registered with this id; it writes now, this one does not"
                            .formatted(registration.worker()));
        }
        return session;
    }

    /** Queues what a push completed for the next heartbeat. */
    public synchronized void add(LocalBdt.Push push) {
        pushes.add(push);
        kick();
    }

    /** Files that are pushed and not committed. */
    public synchronized int waiting() {
        return pushes.stream().mapToInt(push -> push.files().size()).sum();
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

    /** One heartbeat. */
    public void step() throws IOException {
        List<LocalBdt.Push> sent;
        synchronized (this) {
            sent = List.copyOf(pushes);
        }
        List<PushedBlob> blobs = new ArrayList<>();
        List<CommittedFile> files = new ArrayList<>();
        sent.forEach(push -> {
            blobs.addAll(push.blobs());
            files.addAll(push.files());
        });
        HeartbeatReply reply;
        WorkerSession current = session();
        try {
            reply = current.heartbeat(new Heartbeat(buffer.bufferedFiles(), buffer.bufferedBytes(), blobs, files));
        } catch (SessionExpiredException e) {
            renew(current);
            return;
        } catch (FencedException e) {
            fenced = true;
            throw e;
        }
        synchronized (this) {
            pushes.subList(0, sent.size()).clear();
        }
        // The directory commits before the buffer forgets: a crash may leave a duplicate, never a hole.
        buffer.forget(files);
        if (!sent.isEmpty()) {
            localBdt.committed(sent);
        }
        for (long id : reply.forget()) {
            buffer.forget(id);
        }
        List<Reclaim> doubts = buffer.reclaims().doubts();
        if (!doubts.isEmpty()) {
            reclaim(doubts);
        }
        if (reply.sealNow()) {
            buffer.requestRoll();
        }
    }

    public boolean isFenced() {
        return fenced;
    }

    @Override
    public void close() {
        session.close();
    }
}
