// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.packing.bdt.FoundEntry;
import io.packing.bdt.OperationVector;
import io.packing.transport.MessageLimits;
import java.util.Map;

/** The limits of messages of the BDT protocol to a master; docs/bdt-protocol.md has the table. */
public final class BdtLimits {
    /** The claims in one batch. */
    public static final int CLAIMS = 1_000;
    /**
     * The batches of claims that a worker sends, and a master takes, ahead of their answers: many when each has few
     * claims.
     */
    public static final int CLAIM_BATCHES = 64;
    /** The hashes in one {@code Known}. */
    public static final int HASHES = 4_096;
    /** The most fingerprints in one answer to {@code Fingerprints}. */
    public static final int FINGERPRINTS = 1 << 16;
    /** The characters of the paths in one {@code Find} of a client; at three bytes each they still fit in a message. */
    public static final int FOUND_CHARACTERS = 256 << 10;
    /** The files in one {@code Reclaim}. */
    public static final int RECLAIMS = 10_000;
    /** The files that one heartbeat commits. */
    public static final int COMMITTED_FILES = 16_384;
    /** The extents that one heartbeat commits: those of one file of 5 TB, and some more. */
    public static final int COMMITTED_EXTENTS = 3 << 19;
    /** The blobs that one heartbeat names: a large file has many when blobs are small. */
    public static final int COMMITTED_BLOBS = 1 << 18;

    private static final int KB = 1 << 10;
    private static final int MB = 1 << 20;

    public static final MessageLimits LIMITS = new MessageLimits(
            Map.of(
                    "Find",
                    MB,
                    "Claims",
                    4 * MB,
                    "Reclaim",
                    4 * MB,
                    "Heartbeat",
                    32 * MB,
                    "Apply",
                    16 * MB,
                    "Receive",
                    40 * MB),
            256 * KB,
            Map.ofEntries(
                    Map.entry("packing.bdt.v1.ClaimBatch.claims", CLAIMS),
                    Map.entry("packing.bdt.v1.FindRequest.paths", FoundEntry.MOST_PATHS),
                    Map.entry("packing.bdt.v1.KnownRequest.sha256", HASHES),
                    Map.entry("packing.bdt.v1.KnownRequest.users", HASHES),
                    Map.entry("packing.bdt.v1.ReclaimRequest.files", RECLAIMS),
                    Map.entry("packing.bdt.v1.VectorRequest.operations", OperationVector.MAX_OPERATIONS),
                    Map.entry("packing.bdt.v1.VectorRequest.preconditions", OperationVector.MAX_OPERATIONS),
                    Map.entry("packing.bdt.v1.CommitBatch.ids", COMMITTED_FILES),
                    Map.entry("packing.bdt.v1.CommitBatch.generations", COMMITTED_FILES),
                    Map.entry("packing.bdt.v1.CommitBatch.extents", COMMITTED_FILES),
                    Map.entry("packing.bdt.v1.CommitBatch.extent_blobs", COMMITTED_EXTENTS),
                    Map.entry("packing.bdt.v1.CommitBatch.file_offsets", COMMITTED_EXTENTS),
                    Map.entry("packing.bdt.v1.CommitBatch.lengths", COMMITTED_EXTENTS),
                    Map.entry("packing.bdt.v1.CommitBatch.blob_offsets", COMMITTED_EXTENTS),
                    Map.entry("packing.bdt.v1.CommitBatch.stored_lengths", COMMITTED_EXTENTS),
                    Map.entry("packing.bdt.v1.CommitBatch.codecs", COMMITTED_EXTENTS),
                    Map.entry("packing.bdt.v1.CommitBatch.crc32cs", COMMITTED_EXTENTS),
                    Map.entry("packing.bdt.v1.CommitBatch.blobs", COMMITTED_BLOBS),
                    Map.entry("packing.bdt.v1.CommitBatch.pushed", COMMITTED_FILES)),
            1_000);

    private BdtLimits() {}
}
