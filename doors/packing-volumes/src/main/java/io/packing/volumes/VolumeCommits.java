// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.ByteRange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.ScratchFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The way of changes into the table: the bytes of a group go to a worker as one scratch file, and one vector puts them
 * into the volume. Confined to one thread.
 */
final class VolumeCommits {
    /** The ranges of one vector, which is one record of the log. */
    private static final int MOST_RANGES = 10_000;

    private final PackingFileSystem mount;
    private final FilePath path;
    private final long size;
    private final byte[] copied = new byte[64 << 10];
    private FileVersion version;
    /** The position of the last vector, until the version that it made is known. */
    private OptionalLong applied = OptionalLong.empty();
    /** True after a vector without an answer: the next version may be its own. */
    private boolean unsure;

    VolumeCommits(PackingFileSystem mount, FileStatus volume) {
        this.mount = mount;
        this.path = volume.path();
        this.size = volume.attributes().length();
        this.version = volume.version();
    }

    /**
     * Makes changes durable. After a failure some of them may be in the table. They may be given to it once more.
     *
     * @throws VolumeLostException when another client has changed the file, and no later call can succeed
     */
    void commit(WrittenRanges changes) throws IOException {
        List<WrittenPiece> part = new ArrayList<>();
        int runs = 0;
        for (WrittenPiece piece : changes.all()) {
            if (!continues(part, piece)) {
                runs++;
            }
            if (runs > MOST_RANGES) {
                apply(part);
                part.clear();
                runs = 1;
            }
            part.add(piece);
        }
        if (!part.isEmpty()) {
            apply(part);
        }
    }

    private static boolean continues(List<WrittenPiece> part, WrittenPiece piece) {
        if (part.isEmpty()) {
            return false;
        }
        WrittenPiece last = part.get(part.size() - 1);
        return last.end() == piece.offset() && last.isHole() == piece.isHole();
    }

    private void apply(List<WrittenPiece> pieces) throws IOException {
        Optional<ScratchFile> scratch = upload(pieces);
        List<Operation> operations = operations(pieces, scratch);
        learn();
        if (unsure) {
            FileStatus now = present();
            if (now.version().id() != version.id()) {
                throw lost();
            }
            version = now.version();
            unsure = false;
        }
        VectorResult result;
        try {
            result = mount.bdt()
                    .apply(new OperationVector(List.of(new Precondition.SameVersion(path, version)), operations));
        } catch (UnavailableException e) {
            unsure = true;
            throw e;
        }
        if (result instanceof VectorResult.Refused refused) {
            if (scratch.isPresent()) {
                scratch.get().delete(mount.bdt());
            }
            throw refused(refused);
        }
        applied = OptionalLong.of(((VectorResult.Applied) result).position());
    }

    /**
     * Looks up the version that the last vector made. The next commit does it otherwise, and its clients wait for it.
     *
     * @throws VolumeLostException when another client has changed the file since
     */
    void learn() throws IOException {
        if (applied.isPresent()) {
            FileStatus now = present();
            if (now.version().id() != version.id() || now.version().generation() > applied.getAsLong()) {
                throw lost();
            }
            version = now.version();
            applied = OptionalLong.empty();
        }
    }

    private FileStatus present() throws IOException {
        return mount.bdt().stat(path).orElseThrow(this::lost);
    }

    private IOException refused(VectorResult.Refused refused) {
        boolean isOther = refused.kind() == VectorResult.Kind.PRECONDITION
                || refused.reason() == Outcome.NOT_FOUND
                || refused.reason() == Outcome.IS_A_DIRECTORY;
        return isOther ? lost() : new IOException("%s: refused as %s".formatted(path, refused.reason()));
    }

    private VolumeLostException lost() {
        return new VolumeLostException(
                path + " was changed, replaced or deleted by another client: a volume has one server that writes");
    }

    private Optional<ScratchFile> upload(List<WrittenPiece> pieces) throws IOException {
        if (pieces.stream().allMatch(WrittenPiece::isHole)) {
            return Optional.empty();
        }
        ScratchFile scratch = ScratchFile.create(mount, "", path);
        try {
            for (WrittenPiece piece : pieces) {
                ByteBuffer left = piece.bytes().duplicate().rewind();
                while (left.hasRemaining()) {
                    int count = Math.min(copied.length, left.remaining());
                    left.get(copied, 0, count);
                    scratch.write(copied, 0, count);
                }
            }
            scratch.close();
        } catch (IOException | RuntimeException e) {
            scratch.abort();
            throw e;
        }
        return Optional.of(scratch);
    }

    private List<Operation> operations(List<WrittenPiece> pieces, Optional<ScratchFile> scratch) {
        List<Operation> operations = new ArrayList<>();
        long inScratch = 0;
        boolean isCut = false;
        for (int i = 0; i < pieces.size(); ) {
            int next = i + 1;
            while (next < pieces.size() && continues(pieces.subList(i, next), pieces.get(next))) {
                next++;
            }
            WrittenPiece first = pieces.get(i);
            long length = pieces.get(next - 1).end() - first.offset();
            if (first.isHole()) {
                operations.add(new Operation.DeleteRange(new ByteRange(path, first.offset(), length)));
                isCut |= first.offset() + length == size;
            } else {
                operations.add(scratch.orElseThrow().put(inScratch, length, path, first.offset()));
                inScratch += length;
            }
            i = next;
        }
        if (isCut) {
            // A deleted range at the end has made the file shorter.
            operations.add(new Operation.Truncate(path, size));
        }
        scratch.ifPresent(written -> operations.add(written.delete()));
        return operations;
    }
}
