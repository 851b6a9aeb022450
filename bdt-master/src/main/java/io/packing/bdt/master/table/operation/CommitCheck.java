// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.master.table.row.Inode;
import io.packing.blob.BlobExtent;
import io.packing.blob.FileVersion;
import java.util.Comparator;
import java.util.List;

/**
 * The checks of a worker's report before the table believes it. A worker can spoil its own files only: whatever it says,
 * those of others stay where they are.
 */
final class CommitCheck {
    /** More than any store takes as one object. */
    private static final long MOST_BLOB_BYTES = 1L << 43;

    private static final Comparator<BlobExtent> BY_PLACE = Comparator.comparing(
                    (BlobExtent located) -> located.blob().toString())
            .thenComparingLong(located -> located.extent().blobOffset());

    private CommitCheck() {}

    /** A blob is the worker's own, and as long as its name says at least. */
    static void blob(String worker, PushedBlob blob) {
        if (!blob.name().worker().equals(worker)) {
            throw new IllegalArgumentException(
                    "worker %s reports %s, the blob of another".formatted(worker, blob.name()));
        }
        if (blob.length() < blob.name().footerOffset() || blob.length() > MOST_BLOB_BYTES) {
            throw new IllegalArgumentException(
                    "worker %s reports %s with %d bytes".formatted(worker, blob.name(), blob.length()));
        }
        if (blob.framing() < 0 || blob.framing() > blob.length()) {
            throw new IllegalArgumentException("worker %s reports %s with %d bytes of framing in %d"
                    .formatted(worker, blob.name(), blob.framing(), blob.length()));
        }
    }

    /** The extents are in bodies of the worker's own blobs, each byte used once. */
    static void extents(String worker, CommittedFile file) {
        for (BlobExtent located : file.extents()) {
            if (!located.blob().worker().equals(worker)) {
                throw new IllegalArgumentException("worker %s commits %s in %s, the blob of another"
                        .formatted(worker, file.version(), located.blob()));
            }
            if (located.extent().blobEnd() > located.blob().footerOffset()) {
                throw new IllegalArgumentException("worker %s commits %s in %s at %d+%d, behind the body"
                        .formatted(
                                worker,
                                file.version(),
                                located.blob(),
                                located.extent().blobOffset(),
                                located.extent().storedLength()));
            }
        }
        if (file.extents().size() > 1) {
            disjoint(file);
        }
    }

    private static void disjoint(CommittedFile file) {
        List<BlobExtent> sorted = file.extents().stream().sorted(BY_PLACE).toList();
        for (int i = 1; i < sorted.size(); i++) {
            BlobExtent before = sorted.get(i - 1);
            BlobExtent next = sorted.get(i);
            if (before.blob().equals(next.blob())
                    && before.extent().blobEnd() > next.extent().blobOffset()) {
                throw new IllegalArgumentException("commit of %s uses bytes of %s twice, at %d"
                        .formatted(file.version(), next.blob(), next.extent().blobOffset()));
            }
        }
    }

    /** A file in a buffer is in that of the worker. A packed file stays where it is, whatever worker reports it. */
    static void owner(String worker, FileVersion version, Inode.Place place) {
        if (place instanceof Inode.Buffered buffered && !buffered.worker().equals(worker)) {
            throw new IllegalArgumentException(
                    "worker %s commits %s, which worker %s buffers".formatted(worker, version, buffered.worker()));
        }
    }

    /** The extents follow one another and are the whole file. */
    static void covers(CommittedFile file, long length) {
        long end = 0;
        for (BlobExtent located : file.extents()) {
            if (located.extent().fileOffset() != end) {
                throw new IllegalArgumentException("commit of %s goes on at %d, want %d"
                        .formatted(file.version(), located.extent().fileOffset(), end));
            }
            end = located.extent().fileEnd();
        }
        if (end != length) {
            throw new IllegalArgumentException(
                    "commit of %s covers %d bytes, the file has %d".formatted(file.version(), end, length));
        }
    }
}
