// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A worker's registration with one mount's BDT. Every message carries its session epoch; once a newer session of the worker id
 * registers, every call fails with {@link FencedException}. A restart of the master shows only as latency. After a
 * recovery of the master from the backing store every call, claims included, fails with {@link
 * SessionExpiredException}: register again and reclaim. Thread-safe.
 */
public interface WorkerSession extends AutoCloseable {
    /** Returns the session epoch that the master's log gave; later sessions have larger ones. */
    long sessionEpoch();

    /** Returns the newest position of the table in an answer to the session. A claim that is sent after this call gets a later one. */
    long newestPosition();

    /** Returns a file id that was never used before, from a range leased by the master. */
    long newFileId() throws IOException;

    /**
     * Claims a file: from now on the BDT names this worker as its owner (§4.3). A deferred claim that replaces an older
     * file has this effect from its commit on. Concurrent claims share messages and one log write. The future fails
     * with {@link FencedException} or {@link UnavailableException}. Its dependent stages may run on the thread that
     * brings the master's answers, and must not wait for one.
     */
    CompletableFuture<ClaimResult> claim(Claim claim);

    /**
     * Returns for each content true if a claim for its user could share it now. It answers for bytes that a user may
     * not read as for unknown bytes. A moment later a claim may find another state.
     */
    List<Boolean> known(List<WantedContent> contents) throws IOException;

    /**
     * Tells the hashes of files that this worker buffers: claims can share their bytes from then on. A file that is gone, or is not in
     * this worker's buffer any more, is left out.
     */
    void note(List<NotedContent> contents) throws IOException;

    /**
     * Returns fingerprints of contents that claims may share, from a place in the master's list on.
     *
     * @param list that the worker has read before; 0: none
     * @param after how many of its fingerprints the worker has
     */
    FingerprintPage fingerprints(long list, long after) throws IOException;

    /** Runs a task that claims several files; they share messages even when none is under way. */
    void together(Runnable claims);

    /**
     * Reclaims files that the buffer still holds, after a restart. The answer for each is the version to keep (with its
     * generation), or empty when the file was deleted, overwritten or committed meanwhile and its bytes may go.
     */
    List<Optional<FileVersion>> reclaim(List<Reclaim> buffered) throws IOException;

    /** Ends the reclaim phase: unreclaimed claims of older sessions are lost from now on. */
    void reclaimed() throws IOException;

    /**
     * Reports the worker's state and the files packed since (§6.3), and returns its lease and orders. When this
     * returns, every file of the commits is committed or superseded: the buffer may forget it. A report may have any
     * size; the implementation splits it.
     */
    HeartbeatReply heartbeat(Heartbeat heartbeat) throws IOException;

    /** Ends the session; claimed files stay claimed. */
    @Override
    void close();
}
