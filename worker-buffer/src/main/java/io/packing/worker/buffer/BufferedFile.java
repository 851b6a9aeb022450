package io.packing.worker.buffer;

import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobExtent;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.policy.Candidate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A file whose bytes are in the buffer, in memory while something is done with it. Its state is guarded by the
 * {@link FileBuffer}.
 */
public final class BufferedFile {
    /** How far the file is. */
    enum State {
        /** The bytes are not appended, or the claim is not answered. */
        PENDING,
        /** Granted and waiting to be packed: only its {@link FileRow} is kept, unless it is large. */
        LIVE,
        SEALING,
        PUSHED,
        /** Its bytes do not match their checksum any more: kept, readable as an error, never packed. */
        DAMAGED,
        GONE
    }

    /** An extent and the segment that holds it; its blob offset is the offset in the segment. */
    public record Part(BufferSegment segment, Extent extent) {}

    private static final Comparator<BlobExtent> BY_OFFSET =
            Comparator.comparingLong(located -> located.extent().fileOffset());

    private final long id;
    private final FilePath path;
    private final FileAttributes attributes;
    final List<Part> parts = new ArrayList<>(1);
    /** Pushed extents by file offset. */
    private final List<BlobExtent> pushed = new ArrayList<>(1);

    /** Blobs of a large file that are reported together with its commit. */
    final List<PushedBlob> heldBlobs = new ArrayList<>(0);

    /** Segments that have a record of this file; the last one completes it. */
    final List<BufferSegment> segments = new ArrayList<>(1);

    final CompletableFuture<Void> appended = new CompletableFuture<>();
    volatile State state = State.PENDING;
    volatile long generation;

    /** Whether its claim is under way: then nobody else may ask the master about it. */
    volatile boolean claiming;

    BufferedFile(long id, FilePath path, FileAttributes attributes) {
        this.id = id;
        this.path = path;
        this.attributes = attributes;
    }

    public long id() {
        return id;
    }

    public FilePath path() {
        return path;
    }

    public FileAttributes attributes() {
        return attributes;
    }

    public FileVersion version() {
        return new FileVersion(id, generation);
    }

    /** Done when the bytes are as durable as the mount asks. */
    public CompletableFuture<Void> appended() {
        return appended;
    }

    /** Notes where an extent was pushed; repeating a push replaces, never adds. */
    void pushed(BlobExtent located) {
        int at = Collections.binarySearch(pushed, located, BY_OFFSET);
        if (at >= 0) {
            pushed.set(at, located);
        } else {
            pushed.add(-at - 1, located);
        }
    }

    boolean isPushed() {
        return pushed.size() == parts.size();
    }

    List<BlobExtent> pushedExtents() {
        return List.copyOf(pushed);
    }

    /** Returns whether it is new that the segment has a record of this file. */
    boolean add(BufferSegment segment) {
        return !segments.contains(segment) && segments.add(segment);
    }

    /** Goes on to a state, for which its segments count it. */
    void move(State next) {
        for (BufferSegment segment : segments) {
            segment.add(state, -1);
            segment.add(next, 1);
        }
        state = next;
    }

    Candidate candidate() {
        return new Candidate(id, path, attributes.length());
    }

    /** Whether it has segments of its own. */
    boolean large() {
        return segments.stream().anyMatch(BufferSegment::dedicated);
    }

    long storedBytes() {
        return parts.stream().mapToLong(part -> part.extent().storedLength()).sum();
    }
}
