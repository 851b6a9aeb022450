// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.BlobExtent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FileVersion;
import io.packing.buffers.Slices;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The input of a file made of pieces of contents: it reads each content as a file of its own, and holes as zeros.
 * Thread-safe.
 */
public final class MappedInput implements PackingInput, ExtentRunSource {
    private final FileAttributes attributes;
    private final BlobPages pages;
    private final List<Placement.Piece> pieces;
    private final Map<FileVersion, PackingInput> contents = new LinkedHashMap<>();

    /**
     * Opens the contents of a file.
     *
     * @param pages of the contents in blobs
     * @param open opens a content
     */
    MappedInput(
            FileAttributes attributes,
            Placement.Mapped mapped,
            BlobPages pages,
            Function<LocatedFile, PackingInput> open) {
        this.attributes = attributes;
        this.pages = pages;
        this.pieces = mapped.pieces();
        for (Placement.Piece piece : pieces) {
            contents.computeIfAbsent(version(piece), version -> open.apply(piece.content()));
        }
    }

    @Override
    public FileAttributes attributes() {
        return attributes;
    }

    @Override
    public int read(long position, ByteBuffer into) throws IOException {
        return read(position, into, PackingInput::read);
    }

    @Override
    public int readOnce(long position, ByteBuffer into) throws IOException {
        int several = position < 0 ? 0 : pages.runs().read(run(position, into.remaining()), into);
        return several > 0 ? several : read(position, into, PackingInput::readOnce);
    }

    /** A way to read a content. */
    private interface Reading {
        int read(PackingInput content, long position, ByteBuffer into) throws IOException;
    }

    private int read(long position, ByteBuffer into, Reading reading) throws IOException {
        if (position < 0) {
            throw new IllegalArgumentException("negative position " + position);
        }
        if (position >= attributes.length()) {
            return -1;
        }
        int next = firstEndingAfter(position);
        long pieceStart = next < pieces.size() ? pieces.get(next).offset() : attributes.length();
        if (position < pieceStart) {
            return zeros(into, Math.min(pieceStart, attributes.length()) - position);
        }
        Placement.Piece piece = pieces.get(next);
        int wanted = (int) Math.min(into.remaining(), Math.min(piece.end(), attributes.length()) - position);
        ByteBuffer part = Slices.of(into, into.position(), wanted);
        int count = reading.read(input(piece), piece.contentOffset() + position - piece.offset(), part);
        if (count < 0) {
            throw new IOException("content %s ends before the %d bytes at %d that a file has from it"
                    .formatted(version(piece), piece.length(), piece.contentOffset()));
        }
        into.position(into.position() + count);
        return count;
    }

    @Override
    public long checkedEnd(long position) {
        int next = position < 0 ? pieces.size() : firstEndingAfter(position);
        if (next == pieces.size()) {
            return PackingInput.super.checkedEnd(position);
        }
        Placement.Piece piece = pieces.get(next);
        PackingInput content = contents.get(version(piece));
        if (position < piece.offset() || content == null) {
            return Math.min(piece.offset(), PackingInput.super.checkedEnd(position));
        }
        long end = content.checkedEnd(piece.contentOffset() + position - piece.offset()) - piece.contentOffset();
        return Math.min(Math.min(piece.end(), attributes.length()), piece.offset() + end);
    }

    @Override
    public long runEnd(long position, int most) {
        return Math.max(checkedEnd(position), position < 0 ? 0 : ExtentRunSource.end(position, run(position, most)));
    }

    @Override
    public Optional<BlobExtent> wholeExtent(long position) {
        int next = firstEndingAfter(position);
        if (next == pieces.size() || !(contents.get(version(pieces.get(next))) instanceof ExtentRunSource content)) {
            return Optional.empty();
        }
        Placement.Piece piece = pieces.get(next);
        long end = Math.min(piece.end(), attributes.length());
        return position < piece.offset()
                ? Optional.empty()
                : content.wholeExtent(piece.contentOffset() + position - piece.offset())
                        .filter(at -> at.extent().length() <= end - position);
    }

    private static int zeros(ByteBuffer into, long most) {
        int count = (int) Math.min(into.remaining(), most);
        for (int i = 0; i < count; i++) {
            into.put((byte) 0);
        }
        return count;
    }

    private int firstEndingAfter(long position) {
        int low = 0;
        int high = pieces.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (pieces.get(middle).end() > position) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private PackingInput input(Placement.Piece piece) throws IOException {
        PackingInput input = contents.get(version(piece));
        if (input == null) {
            throw new IOException("content %s was not opened".formatted(version(piece)));
        }
        return input;
    }

    private static FileVersion version(Placement.Piece piece) {
        return piece.content().status().version();
    }

    @Override
    public void close() {
        contents.values().forEach(PackingInput::close);
    }
}
