// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.DedupMode;
import io.packing.bdt.Durability;
import io.packing.bdt.PathPatterns;
import io.packing.bdt.SharedMountOptions;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import java.util.Map;

/**
 * The terms by which files are written.
 *
 * @param durability the failures that a closed file survives
 * @param uploadedPaths the paths of files that survive more: {@link Durability#UPLOADED}
 * @param dedup decides if small files share bytes that the mount has already
 * @param compression of extents
 * @param spillBytes size up to which files share blobs; larger ones go into blobs of their own
 */
public record WriteOptions(
        Durability durability, PathPatterns uploadedPaths, DedupMode dedup, Compression compression, int spillBytes) {
    public static final Option<Long> SPILL_BYTES = new Option<>(
            "packing.spill.bytes",
            "16MB",
            "Size up to which files share blobs, but at most a sixteenth of packing.blob.max.bytes beyond 4MB; a larger "
                    + "file has blobs of its own. An open output takes so much memory, 4MB at most, and the worker 64MB for "
                    + "all.",
            Parsers.bytesBetween(1, 1 << 30));

    public static final Option<Compression> COMPRESSION = new Option<>(
            "packing.compression",
            "none",
            "none; deflate: each file by itself, when a client writes it; zstd: by Zstandard, when a worker makes "
                    + "a blob, with a dictionary where it pays.",
            Parsers.choice(Compression.class));

    public WriteOptions {
        if (dedup != DedupMode.NONE && durability == Durability.UPLOADED) {
            // The store learns of a shared file with the master's next journal, which may come after the close.
            throw new IllegalArgumentException(
                    "option %s: file cannot be had with %s=uploaded; use synced, or share equal files later by 'packing dedup'"
                            .formatted(BdtOptions.DEDUP.key(), BdtOptions.DURABILITY.key()));
        }
        if (spillBytes < 1) {
            throw new IllegalArgumentException("files of %d bytes share blobs".formatted(spillBytes));
        }
    }

    /** Returns whether a closed file at a path survives the loss of the machine that wrote it. */
    public boolean areUploaded(FilePath path) {
        return durability == Durability.UPLOADED || uploadedPaths.matches(path);
    }

    /** Returns the memory of an open output: a larger file goes on in pieces of this size, which are extents. */
    public int pieceBytes() {
        return Math.min(spillBytes, Extent.MAX_LENGTH);
    }

    static WriteOptions from(Options options) {
        return new WriteOptions(
                options.get(BdtOptions.DURABILITY),
                options.get(BdtOptions.UPLOADED_PATHS),
                options.get(BdtOptions.DEDUP),
                options.get(COMPRESSION),
                options.get(SPILL_BYTES).intValue());
    }

    /**
     * Returns these options with the master's where the client sets none.
     *
     * @param raw the options that the client set
     */
    WriteOptions toldBy(SharedMountOptions mount, Map<String, String> raw) {
        Durability promised = raw.containsKey(BdtOptions.DURABILITY.key()) ? durability : mount.durability();
        DedupMode shared = raw.containsKey(BdtOptions.DEDUP.key()) ? dedup : mount.dedup();
        PathPatterns uploaded =
                raw.containsKey(BdtOptions.UPLOADED_PATHS.key()) ? uploadedPaths : mount.uploadedPaths();
        // A client that asks for more durability than the mount has shares no bytes.
        return new WriteOptions(
                promised, uploaded, promised == Durability.UPLOADED ? DedupMode.NONE : shared, compression, spillBytes);
    }
}
