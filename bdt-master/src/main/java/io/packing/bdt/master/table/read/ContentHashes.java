// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import com.google.common.hash.HashCode;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The file versions by the hashes of their bytes when they were claimed. A row is a hint: what it names may be over, or have lost its
 * bytes, and a recovery may have forgotten it.
 */
public final class ContentHashes {
    private ContentHashes() {}

    /** A version that has, or had, bytes of this hash. */
    private static Optional<FileVersion> hint(Rows rows, HashCode sha256) throws IOException {
        return rows.get(Keys.hash(sha256)).map(ContentHashes::decode);
    }

    /**
     * Returns a version whose bytes are those of this hash, can be shared, and may be read by the user for whom the file is. Of bytes that
     * only others may read the user learns nothing: they are as unknown as those that the table does not have.
     */
    public static Optional<FileVersion> find(Rows rows, Namespace namespace, Permissions user, HashCode sha256)
            throws IOException {
        Optional<FileVersion> hint = hint(rows, sha256);
        return hint.isPresent()
                        && isThere(namespace, hint.get())
                        && new ReadableFiles(namespace, user, FilePath.ROOT).has(rows, hint.get())
                ? hint
                : Optional.empty();
    }

    private static boolean isThere(Namespace namespace, FileVersion version) throws IOException {
        Optional<Content> shared = namespace.content(version);
        Optional<Inode.Place> place = shared.isPresent() ? shared.map(Content::place) : namespace.place(version);
        if (place.isPresent() && place.get() instanceof Inode.Buffered buffered) {
            return !Inode.isUncommitted(buffered) && !namespace.placements().isLost(buffered);
        }
        return place.isPresent()
                && place.get() instanceof Inode.Packed packed
                && (shared.isEmpty() || isWhole(packed, shared.get().length()));
    }

    /** Returns whether a content has all of its bytes still: bytes that no file had any more were given up. */
    private static boolean isWhole(Inode.Packed packed, long length) {
        return packed.extents().stream()
                        .mapToLong(stored -> stored.extent().length())
                        .sum()
                == length;
    }

    /** Returns true if a worker has a version in its buffer, and no writer waits for its upload. */
    public static boolean isBufferedBy(Namespace namespace, FileVersion version, String worker) throws IOException {
        Optional<Content> shared = namespace.content(version);
        Optional<Inode.Place> place = shared.isPresent() ? shared.map(Content::place) : namespace.place(version);
        return place.isPresent()
                && place.get() instanceof Inode.Buffered buffered
                && buffered.worker().equals(worker)
                && !Inode.isUncommitted(buffered);
    }

    /** Notes what bytes a version has; a worker of an older version tells no fingerprint. */
    public static void put(WriteSet rows, HashCode sha256, FileVersion version, OptionalInt fingerprint) {
        Bytes.Out row = new Bytes.Out().number(version.id()).number(version.generation());
        fingerprint.ifPresent(bits -> row.number(Integer.toUnsignedLong(bits)));
        rows.put(Keys.hash(sha256), row.toBytes());
    }

    /** Returns the fingerprint of the bytes that a row is about; a row of an older version has none. */
    static OptionalInt fingerprint(byte[] row) {
        Bytes.In in = new Bytes.In(row);
        long unusedId = in.number();
        long unusedGeneration = in.number();
        return in.hasMore() ? OptionalInt.of((int) in.number()) : OptionalInt.empty();
    }

    /** Removes a row if what it names is over. */
    public static void removeIfOver(WriteSet rows, Namespace namespace, byte[] key) throws IOException {
        Optional<FileVersion> hint = rows.get(key).map(ContentHashes::decode);
        if (hint.isPresent() && namespace.place(hint.get()).isEmpty()) {
            rows.delete(key);
        }
    }

    private static FileVersion decode(byte[] row) {
        Bytes.In in = new Bytes.In(row);
        return new FileVersion(in.number(), in.number());
    }
}
