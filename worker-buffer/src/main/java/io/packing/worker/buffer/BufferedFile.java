// SPDX-License-Identifier: Apache-2.0
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
 * A file whose bytes are in the buffer; it is in memory while a thread works on it. The {@link BufferState} guards its
 * mutable fields, and only it changes them.
 */
public final class BufferedFile {
    /** The states of a file. */
    enum State {
        /** The bytes are not appended, or the claim is not answered. */
        PENDING,
        /** The file is granted and waits to be packed: only its {@link FileRow} is kept, unless it is large. */
        LIVE,
        SEALING,
        PUSHED,
        /** The bytes do not match their checksum any more: a read fails, and no blob gets them. */
        DAMAGED,
        /** The file was deleted, and its bytes stay for a recovery that does not know of it: no blob gets them. */
        DELETED,
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
    /** The pushed extents, by file offset. */
    private final List<BlobExtent> pushed = new ArrayList<>(1);

    private final List<PushedBlob> heldBlobs = new ArrayList<>(0);

    private final List<BufferSegment> segments = new ArrayList<>(1);

    private final CompletableFuture<Void> appended = new CompletableFuture<>();
    private volatile State state = State.PENDING;
    private volatile long generation;
    private volatile boolean claiming;
    private volatile boolean deferred;
    private volatile long claimedAfter;

    BufferedFile(long id, FilePath path, FileAttributes attributes) {
        this.id = id;
        this.path = path;
        this.attributes = attributes;
    }

    /** Returns the file of a row, in a state that keeps only the row in memory. */
    static BufferedFile of(FileRow row, State state, LongFunction<BufferSegment> segments) {
        BufferedFile file = new BufferedFile(row.id(), row.path(), row.attributes());
        file.generation = row.generation();
        file.state = state;
        file.appended.complete(null);
        for (FileRow.Located part : row.parts()) {
            BufferSegment segment = segments.apply(part.segment());
            file.parts.add(new Part(segment, part.extent()));
            file.add(segment);
        }
        file.add(segments.apply(row.segment()));
        return file;
    }

    /** Notes that the file takes no other's place before its upload. */
    void defer() {
        deferred = true;
    }

    /** Returns whether the file takes no other's place before its upload, as its writer asked. */
    boolean isDeferred() {
        return deferred;
    }

    /** Notes a position of the table that is before the claim, which may replace another file. */
    void claimedAfter(long position) {
        claimedAfter = position;
    }

    /** Returns a position of the table before the claim; 0: none is known, or the claim may not replace a file. */
    long claimedAfter() {
        return claimedAfter;
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

    /** Completes when the bytes are as durable as the mount asks. */
    public CompletableFuture<Void> appended() {
        return appended;
    }

    boolean is(State asked) {
        return state == asked;
    }

    /** Returns whether it is granted, and in no blob that was pushed. */
    boolean waits() {
        return state == State.LIVE || state == State.SEALING;
    }

    /** Returns whether the mount has no such file any more, so that no blob gets it. */
    boolean isGone() {
        return state == State.GONE || state == State.DELETED;
    }

    /** Notes if the claim is under way: then no other thread may ask the master about it. */
    void claiming(boolean underWay) {
        claiming = underWay;
    }

    /** Returns whether the claim's outcome is unknown and no answer is on its way. */
    boolean isInDoubt() {
        return state == State.PENDING && !claiming && appended.isDone();
    }

    /** Returns the generation of the grant; 0 before it. */
    long generation() {
        return generation;
    }

    /** Notes the grant; returns true if its generation is new. */
    boolean granted(long at) {
        boolean news = generation != at;
        generation = at;
        claiming = false;
        return news;
    }

    /** Returns the places of its bytes. */
    List<Part> parts() {
        return parts;
    }

    void add(Part part) {
        parts.add(part);
    }

    /** Returns the segments that have a record of this file; the last one completes it. */
    List<BufferSegment> segments() {
        return segments;
    }

    /** Holds a blob of the file back, to be reported with the file's commit. */
    void hold(PushedBlob blob) {
        heldBlobs.add(blob);
    }

    /** Returns the blobs to report with its commit, the first one first. */
    List<PushedBlob> heldBlobs() {
        return heldBlobs;
    }

    /** Notes the place of a pushed extent; a repeated push replaces the place. */
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

    /** Notes that a segment has a record of the file that starts there. */
    void placed(BufferSegment segment, long at) {
        if (add(segment)) {
            segment.use().count(state, 1);
            segment.use().pends(id, at);
        }
    }

    /** Adds a segment with a record of this file; returns true if it is new. */
    boolean add(BufferSegment segment) {
        return !segments.contains(segment) && segments.add(segment);
    }

    /** Moves on to a state, in which its segments count it. */
    void move(State next) {
        for (BufferSegment segment : segments) {
            segment.use().count(state, -1);
            segment.use().count(next, 1);
        }
        state = next;
    }

    /** Removes the file from its segments, since nothing needs it; returns these segments. */
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

    /** Returns whether it has segments of its own. */
    boolean large() {
        return segments.stream().anyMatch(BufferSegment::dedicated);
    }

    long storedBytes() {
        return parts.stream().mapToLong(part -> part.extent().storedLength()).sum();
    }
}
