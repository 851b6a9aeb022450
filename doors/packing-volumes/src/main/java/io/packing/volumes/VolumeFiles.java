// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Operations on whole volumes. None of them copies a byte of a volume. */
public final class VolumeFiles {
    /** The multiple that each size is. */
    public static final int SECTOR = 512;

    private static final int WRITE_BITS = 0222;
    private static final int READ_ONLY_MODE = 0444;
    private static final int PAGE = 1_000;
    private static final String SNAPSHOT_DIRECTORY = "/.snapshot/";

    private final Bdt bdt;
    private final VolumeLogs logs;

    /** A volume in numbers.
     *
     * @param storedBytes those that are in contents; all others are holes
     * @param pieces of contents
     * @param bufferedBytes of the stored ones, those that no blob has yet
     */
    public record Statistics(
            FileStatus status,
            long storedBytes,
            long pieces,
            long contents,
            long bufferedBytes,
            List<FilePath> snapshots) {
        public Statistics {
            snapshots = List.copyOf(snapshots);
        }

        /** Returns whether a server refuses changes. */
        public boolean isReadOnly() {
            return VolumeFiles.isReadOnly(status);
        }
    }

    public VolumeFiles(Bdt bdt) {
        this.bdt = bdt;
        this.logs = new VolumeLogs(bdt);
    }

    /** Makes a volume that is one hole. */
    public void create(FilePath path, long size) throws IOException {
        checkSize(path, size);
        apply(
                path,
                List.of(new Precondition.Absent(path)),
                new Operation.CreateFile(path, mode(0600), false),
                new Operation.Truncate(path, size));
    }

    /** Makes another volume with the bytes of a volume or of a snapshot, as they were synced. */
    public void clone(FilePath source, FilePath destination) throws IOException {
        logs.awaitMapped(volume(source));
        apply(
                source,
                List.of(new Precondition.Absent(destination)),
                new Operation.CloneFile(source, destination, false, mode(0600)));
    }

    /** Makes a read-only volume beside a volume, with its bytes as they were synced; returns its path. */
    public FilePath snapshot(FilePath volume, String name) throws IOException {
        FilePath snapshot = snapshotPath(volume, name);
        logs.awaitMapped(volume(volume));
        apply(
                volume,
                List.of(new Precondition.Absent(snapshot)),
                new Operation.CloneFile(volume, snapshot, false, mode(READ_ONLY_MODE)));
        return snapshot;
    }

    /** Returns the path of a snapshot of a volume. */
    public static FilePath snapshotPath(FilePath volume, String name) {
        if (name.isEmpty() || name.indexOf('/') >= 0 || name.indexOf('@') >= 0) {
            throw new IllegalArgumentException(
                    "snapshot name '%s': a name has a character, and no / and @".formatted(name));
        }
        return new FilePath(volume.value() + "@" + name);
    }

    /**
     * Changes the size of a volume that no server has open for writing.
     *
     * @param shrink allows a smaller size: the bytes behind it are lost
     */
    public void resize(FilePath path, long size, boolean shrink) throws IOException {
        checkSize(path, size);
        logs.awaitMapped(volume(path));
        FileStatus now = volume(path);
        if (size < now.attributes().length() && !shrink) {
            throw new IllegalArgumentException(
                    "%s has %,d bytes: a smaller size loses those behind it, and needs --shrink"
                            .formatted(path, now.attributes().length()));
        }
        apply(path, List.of(new Precondition.SameVersion(path, now.version())), new Operation.Truncate(path, size));
    }

    /** Counts what a volume has. It looks at each piece. */
    public Statistics statistics(FilePath path) throws IOException {
        FileStatus status = volume(path);
        LocatedFile located = bdt.locate(path).orElseThrow(() -> missing(path));
        long stored = 0;
        long buffered = 0;
        long pieces = 1;
        Set<FileVersion> contents = new HashSet<>();
        if (located.placement() instanceof Placement.Mapped mapped) {
            pieces = mapped.pieces().size();
            for (Placement.Piece piece : mapped.pieces()) {
                stored += piece.length();
                buffered += piece.content().placement() instanceof Placement.Buffered ? piece.length() : 0;
                contents.add(piece.content().status().version());
            }
        } else {
            stored = status.attributes().length();
            buffered = located.placement() instanceof Placement.Buffered ? stored : 0;
            contents.add(status.version());
        }
        return new Statistics(status, stored, pieces, contents.size(), buffered, snapshots(path));
    }

    private List<FilePath> snapshots(FilePath volume) throws IOException {
        FilePath directory = volume.parent().orElse(FilePath.ROOT);
        String prefix = volume.name() + "@";
        List<FilePath> found = new ArrayList<>();
        String after = volume.name();
        while (true) {
            Optional<List<FileStatus>> page = bdt.list(directory, after, PAGE);
            if (page.isEmpty() || page.get().isEmpty()) {
                return found;
            }
            for (FileStatus each : page.get()) {
                after = each.path().name();
                if (after.startsWith(prefix)) {
                    found.add(each.path());
                } else if (after.compareTo(prefix + Character.MAX_VALUE) > 0) {
                    return found;
                }
            }
        }
    }

    /** Returns a file that can be a volume. */
    private FileStatus volume(FilePath path) throws IOException {
        FileStatus status = bdt.stat(path).orElseThrow(() -> missing(path));
        if (status.isDirectory()) {
            throw new IOException(path + " is a directory, and no volume");
        }
        return status;
    }

    private static FileNotFoundException missing(FilePath path) {
        return new FileNotFoundException(path + ": no such file, so no volume");
    }

    private void apply(FilePath path, List<Precondition> preconditions, Operation... operations) throws IOException {
        VectorResult result = bdt.apply(new OperationVector(preconditions, List.of(operations)));
        if (result instanceof VectorResult.Refused refused) {
            throw failure(path, preconditions, refused);
        }
    }

    private static IOException failure(FilePath path, List<Precondition> preconditions, VectorResult.Refused refused) {
        if (refused.kind() == VectorResult.Kind.PRECONDITION) {
            Precondition failed = preconditions.get(refused.index());
            return failed instanceof Precondition.Absent
                    ? new FileAlreadyExistsException(failed.path() + " exists; nothing has changed")
                    : new IOException(failed.path() + " is changed by a server; end it first; nothing has changed");
        }
        if (refused.reason() == Outcome.NO_PARENT || refused.reason() == Outcome.NOT_FOUND) {
            return new FileNotFoundException(
                    "%s: its directory, or that of the new volume, does not exist; nothing has changed"
                            .formatted(path));
        }
        return new IOException("%s: refused as %s; nothing has changed".formatted(path, refused.reason()));
    }

    static AttributeChange mode(int mode) {
        return new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode));
    }

    /** Returns whether a file refuses changes: it is in a snapshot of a directory, or no user may write to it. */
    static boolean isReadOnly(FileStatus file) {
        return (file.attributes().mode() & WRITE_BITS) == 0
                || file.path().value().contains(SNAPSHOT_DIRECTORY);
    }

    /** @throws IllegalArgumentException when no volume has this size */
    static void checkSize(FilePath path, long size) {
        if (size < SECTOR || size % SECTOR != 0) {
            throw new IllegalArgumentException(
                    "%s: a volume of %,d bytes; a size is a multiple of %d".formatted(path, size, SECTOR));
        }
    }
}
