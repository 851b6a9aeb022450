package io.packing.bdt;

import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A worker's registration with one mount's BDT. Everything it sends carries its epoch; once a newer session of the same
 * worker id registers, every call fails with {@link FencedException}. A restart of the master is invisible but for its
 * latency; only when the master was recovered from the backing store every call, claims included, fails with
 * {@link SessionExpiredException}: register again and reclaim. Thread-safe.
 */
public interface WorkerSession extends AutoCloseable {
    /** The epoch that the master's log gave this session; later sessions have larger ones. */
    long epoch();

    /** A file id that was never used before, from a range leased by the master. */
    long newFileId() throws IOException;

    /**
     * Claims a file: from now on the BDT names this worker as its owner (§4.3), or, when the claim is deferred and replaces
     * an older file, from its commit on. Concurrent claims travel together and
     * share one log write. The future ends with {@link FencedException} or {@link UnavailableException} on failure. What
     * depends on it may run on the thread that brings the master's answers, and must not wait for one.
     */
    CompletableFuture<ClaimResult> claim(Claim claim);

    /**
     * Returns which of these contents a claim for their users could share now: one answer for each. Of bytes that a user may not read it
     * answers as of bytes that the mount does not have. A claim may find it otherwise a moment later.
     */
    List<Boolean> known(List<WantedContent> contents) throws IOException;

    /** Runs what claims several files; these travel together even when none is under way. */
    default void together(Runnable claims) {
        claims.run();
    }

    /**
     * After a restart, for files that the buffer still holds: one answer for each, the version to keep (with its
     * generation) or empty when the file was deleted, overwritten or committed meanwhile and its bytes may go.
     */
    List<Optional<FileVersion>> reclaim(List<Reclaim> buffered) throws IOException;

    /** Ends the reclaim phase: claims of older sessions that were not reclaimed are lost from now on. */
    void reclaimed() throws IOException;

    /**
     * Reports the worker's state and the files packed since (§6.3), and learns its lease and orders. When this returns,
     * every file of the commits is either committed or superseded: the buffer may forget it. A report of any size is
     * sent; the implementation splits it.
     */
    HeartbeatReply heartbeat(Heartbeat heartbeat) throws IOException;

    /** Ends the session; what is claimed stays claimed. */
    @Override
    void close();
}
