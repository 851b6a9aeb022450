// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.blob.SealPolicy;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import io.packing.worker.policy.PolicyName;
import java.time.Duration;

/**
 * The terms by which a worker makes blobs of buffered files and pushes them.
 *
 * @param blobMaxBytes size at which a blob is sealed
 * @param push terms by which pushes begin before a blob is full
 * @param seal terms by which a blob that is not full is sealed
 * @param gather the time for which closers that wait for an upload wait for company
 * @param threads blobs packed and pushed at once
 * @param policy chooses which files share a blob
 */
public record PackOptions(
        long blobMaxBytes,
        PushOptions push,
        SealPolicy.SealOptions seal,
        Duration gather,
        int threads,
        PolicyName policy) {
    public static final Option<Long> BLOB_MAX_BYTES = new Option<>(
            "packing.blob.max.bytes",
            "1GB",
            "Size at which a blob is sealed.",
            Parsers.bytesBetween(64L << 10, 4L << 30));

    public static final Option<Duration> SEAL_AFTER = new Option<>(
            "packing.seal.after",
            "15m",
            "The age at which a buffered file is sealed and pushed; sooner when the blob is full, when no other "
                    + "file came for packing.seal.quiet, or when packing.seal.budget allows it.",
            Parsers::duration);

    public static final Option<Duration> SEAL_QUIET = new Option<>(
            "packing.seal.quiet",
            "5s",
            "The least time without another file after which a worker seals. It grows, up to packing.seal.after, "
                    + "when files come after all. 0s: a pause never seals.",
            Parsers::duration);

    public static final Option<Double> SEAL_BUDGET = new Option<>(
            "packing.seal.budget",
            "0",
            "Dollars a day that a worker may spend on PUTs so that files wait less than packing.seal.after; 0: none.",
            Parsers::amount);

    public static final Option<Double> SEAL_PUT_PRICE = new Option<>(
            "packing.seal.put.price",
            "0.000005",
            "The backing store's price of a PUT in dollars, for packing.seal.budget.",
            Parsers::price);

    public static final Option<Duration> GATHER = new Option<>(
            "packing.upload.gather",
            "500ms",
            "With packing.durability=uploaded: the longest wait of a closed file for others; a fiftieth when no "
                    + "other comes.",
            Parsers::duration);

    public static final Option<Integer> THREADS =
            new Option<>("packing.threads", "16", "Blobs packed and pushed at the same time.", Parsers.count(1, 1_024));

    public static final Option<PolicyName> POLICY = new Option<>(
            "packing.policy",
            "fifo",
            "Files that share a blob: fifo (arrival order, no second copy), directory (of a directory, by name) or "
                    + "size (small ones).",
            Parsers.choice(PolicyName.class));

    public PackOptions {
        if (blobMaxBytes < 1 || gather.isNegative() || threads < 1) {
            throw new IllegalArgumentException(
                    "blobs of %d bytes by %d threads, gathered for %s".formatted(blobMaxBytes, threads, gather));
        }
    }

    static PackOptions from(Options options) {
        return new PackOptions(
                options.get(BLOB_MAX_BYTES),
                PushOptions.from(options),
                new SealPolicy.SealOptions(
                        options.get(SEAL_AFTER),
                        options.get(SEAL_QUIET),
                        options.get(SEAL_BUDGET) / options.get(SEAL_PUT_PRICE)),
                options.get(GATHER),
                options.get(THREADS),
                options.get(POLICY));
    }
}
