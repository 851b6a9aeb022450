package io.packing.worker.buffer;

import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
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
import java.util.function.LongFunction;

/**
 * A file whose bytes are in the buffer, in memory while something is done with it. What changes of it is guarded by the
 * {@link BufferState}, and changes only there.
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
    private final List<Part> parts = new ArrayList<>(1);
    /** Pushed extents by file offset. */
    private final List<BlobExtent> pushed = new ArrayList<>(1);

    private final List<PushedBlob> heldBlobs = new ArrayList<>(0);

    private final List<BufferSegment> segments = new ArrayList<>(1);

    private final CompletableFuture<Void> appended = new CompletableFuture<>();
    private volatile State state = State.PENDING;
    private volatile long generation;
    private volatile boolean claiming;

    BufferedFile(long id, FilePath path, FileAttributes attributes) {
        this.id = id;
        this.path = path;
        this.attributes = attributes;
    }

    /** One that waits to be packed, as its row says. */
    static BufferedFile of(FileRow row, LongFunction<BufferSegment> segments) {
        BufferedFile file = new BufferedFile(row.id(), row.path(), row.attributes());
        file.generation = row.generation();
        file.state = State.LIVE;
        file.appended.complete(null);
        for (FileRow.Located part : row.parts()) {
            BufferSegment segment = segments.apply(part.segment());
            file.parts.add(new Part(segment, part.extent()));
            file.add(segment);
        }
        file.add(segments.apply(row.segment()));
        return file;
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

    boolean is(State asked) {
        return state == asked;
    }

    /** Its claim is under way: nobody else may ask the master about it; or it is not any more. */
    void claiming(boolean underWay) {
        claiming = underWay;
    }

    /** Whether it is not known if it was granted, and no answer is on its way. */
    boolean isInDoubt() {
        return state == State.PENDING && !claiming && appended.isDone();
    }

    /** 0 until the master has said that the claim was granted. */
    long generation() {
        return generation;
    }

    /** Its claim was granted; returns whether that is news. */
    boolean granted(long at) {
        boolean news = generation != at;
        generation = at;
        claiming = false;
        return news;
    }

    /** Where its bytes are. */
    List<Part> parts() {
        return parts;
    }

    void add(Part part) {
        parts.add(part);
    }

    /** Segments that have a record of this file; the last one completes it. */
    List<BufferSegment> segments() {
        return segments;
    }

    /** A blob of it is reported only together with its commit. */
    void hold(PushedBlob blob) {
        heldBlobs.add(blob);
    }

    /** The blobs that are to be reported with its commit, first the first. */
    List<PushedBlob> heldBlobs() {
        return heldBlobs;
    }

    /** Notes where an extent was pushed; repeating a push replaces, never adds. */
    void pushed(BlobName blob, Extent extent) {
        BlobExtent located = new BlobExtent(blob, extent);
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

    /** A segment has a record of it, which starts there. */
    void placed(BufferSegment segment, long at) {
        if (add(segment)) {
            segment.use().count(state, 1);
            segment.use().pends(id, at);
        }
    }

    /** Returns whether it is new that the segment has a record of this file. */
    boolean add(BufferSegment segment) {
        return !segments.contains(segment) && segments.add(segment);
    }

    /** Goes on to a state, for which its segments count it. */
    void move(State next) {
        for (BufferSegment segment : segments) {
            segment.use().count(state, -1);
            segment.use().count(next, 1);
        }
        state = next;
    }

    /** Nobody needs it any more, nor a segment for its sake; returns the segments that it had. */
    List<BufferSegment> leave() {
        List<BufferSegment> had = List.copyOf(segments);
        for (BufferSegment segment : had) {
            segment.use().count(state, -1);
            segment.use().removeLarge(this);
        }
        state = State.GONE;
        segments.clear();
        return had;
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
