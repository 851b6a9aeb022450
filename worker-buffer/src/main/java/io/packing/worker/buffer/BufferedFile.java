package io.packing.worker.buffer;

import io.packing.blob.BlobExtent;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.policy.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A file whose bytes are in the buffer. Its state is guarded by the {@link FileBuffer}. */
public final class BufferedFile {
    /** How far the file is. */
    enum State {
        /** The claim is not answered, or the bytes are not appended. */
        PENDING,
        LIVE,
        SEALING,
        PUSHED,
        GONE
    }

    /** An extent and the segment that holds it; its blob offset is the offset in the segment. */
    public record Part(Segment segment, Extent extent) {}

    private final long id;
    private final FilePath path;
    private final FileAttributes attributes;
    final List<Part> parts = new ArrayList<>();
    final List<BlobExtent> pushed = new ArrayList<>();
    final CompletableFuture<Void> appended = new CompletableFuture<>();
    final CompletableFuture<Void> committed = new CompletableFuture<>();
    volatile State state = State.PENDING;
    volatile long generation;

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

    /** Done when the file is committed, or was deleted before. */
    public CompletableFuture<Void> committed() {
        return committed;
    }

    /** Done when the bytes are as durable as the mount asks. */
    public CompletableFuture<Void> appended() {
        return appended;
    }

    List<BlobExtent> pushedExtents() {
        return pushed.stream()
                .sorted(Comparator.comparingLong(part -> part.extent().fileOffset()))
                .toList();
    }

    Candidate candidate() {
        return new Candidate(id, path, attributes.length());
    }

    long storedBytes() {
        return parts.stream().mapToLong(part -> part.extent().storedLength()).sum();
    }
}
