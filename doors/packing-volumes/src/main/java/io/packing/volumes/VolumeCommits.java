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
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/** The way of logged changes into the map of a volume, by vectors. Confined to one thread. */
final class VolumeCommits {
    /** The ranges of one vector, which is one record of the log. */
    private static final int MOST_RANGES = 10_000;

    /** One file of the log after the other: the master looks each up once. */
    private static final Comparator<WrittenPiece> BY_PLACE = Comparator.comparing(
                    (WrittenPiece piece) -> place(piece).file())
            .thenComparingLong(piece -> place(piece).offset());

    private final PackingFileSystem mount;
    private final FilePath path;
    private final FilePath log;
    private final long size;
    private FileVersion version;
    /** The position of the last vector, until the version that it made is known. */
    private OptionalLong applied = OptionalLong.empty();
    /** True after a vector without an answer: it may have happened. */
    private boolean unsure;

    /** @param log directory of the log, which another server would move */
    VolumeCommits(PackingFileSystem mount, FileStatus volume, FilePath log) {
        this.mount = mount;
        this.log = log;
        this.path = volume.path();
        this.size = volume.attributes().length();
        this.version = volume.version();
    }

    private static LogPlace place(WrittenPiece piece) {
        return piece.place().orElseThrow(() -> new IllegalStateException("bytes that the log does not have"));
    }

    /**
     * Puts changes into the map. After a failure some of them may be there. The next call must be the same one.
     *
     * @param deletes of what the log needs no more then
     * @throws VolumeLostException when another client has changed the file, and no later call can succeed
     */
    void commit(WrittenRanges changes, List<Operation.Delete> deletes) throws IOException {
        List<Operation> operations = new ArrayList<>();
        for (Operation each : operations(changes.all())) {
            if (operations.size() == MOST_RANGES) {
                apply(operations, deletes);
                operations.clear();
            }
            operations.add(each);
        }
        operations.addAll(deletes);
        apply(operations, deletes);
    }

    private void apply(List<Operation> operations, List<Operation.Delete> deletes) throws IOException {
        learn();
        VectorResult result;
        try {
            result = mount.bdt()
                    .apply(new OperationVector(List.of(new Precondition.SameVersion(path, version)), operations));
        } catch (UnavailableException e) {
            unsure = true;
            throw e;
        }
        if (result instanceof VectorResult.Refused refused) {
            if (!unsure || !hasHappened(deletes)) {
                throw refused(refused);
            }
            version = present().version();
        } else {
            applied = OptionalLong.of(((VectorResult.Applied) result).position());
        }
        unsure = false;
    }

    /** Returns whether a vector without an answer has happened: what it deletes is gone, and the log is there. */
    private boolean hasHappened(List<Operation.Delete> deletes) throws IOException {
        return mount.bdt().stat(deletes.get(0).path()).isEmpty()
                && mount.bdt().stat(log).isPresent();
    }

    /**
     * Looks up the version that the last vector made. The next commit does it otherwise.
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
        return new VolumeLostException(path
                + " was changed, replaced, deleted or opened by another client: a volume has one server that writes");
    }

    private List<Operation> operations(Collection<WrittenPiece> pieces) {
        List<WrittenPiece> data = new ArrayList<>();
        List<WrittenPiece> holes = new ArrayList<>();
        pieces.forEach(piece -> (piece.isHole() ? holes : data).add(piece));
        data.sort(BY_PLACE);
        List<Operation> operations = new ArrayList<>();
        for (WrittenPiece first : runs(data)) {
            LogPlace from = place(first);
            operations.add(new Operation.CloneRange(
                    new ByteRange(from.file(), from.offset(), first.length()), path, first.offset()));
        }
        boolean isCut = false;
        for (WrittenPiece hole : runs(holes)) {
            operations.add(new Operation.DeleteRange(new ByteRange(path, hole.offset(), hole.length())));
            isCut |= hole.end() == size;
        }
        if (isCut) {
            // A deleted range at the end has made the file shorter.
            operations.add(new Operation.Truncate(path, size));
        }
        return operations;
    }

    /** Returns ranges without bytes, each of pieces that go on where the one before ends. */
    private static List<WrittenPiece> runs(List<WrittenPiece> pieces) {
        List<WrittenPiece> runs = new ArrayList<>();
        for (int i = 0; i < pieces.size(); ) {
            WrittenPiece first = pieces.get(i);
            int next = i + 1;
            while (next < pieces.size() && pieces.get(next - 1).isContinuedBy(pieces.get(next))) {
                next++;
            }
            long length = pieces.get(next - 1).end() - first.offset();
            runs.add(
                    first.isHole()
                            ? WrittenPiece.hole(first.offset(), length)
                            : WrittenPiece.logged(first.offset(), length, place(first)));
            i = next;
        }
        return runs;
    }
}
