// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.ScratchNames;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The beginning of a server that writes a volume (RFC 0028). It takes the log away from the server before, and plays what that one had not
 * put into the map. Confined to one thread.
 */
final class VolumeOpening {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeOpening.class);
    private static final int TRIES = 10;

    private final PackingFileSystem mount;
    private final FilePath path;
    private final VolumeLogs logs;

    VolumeOpening(PackingFileSystem mount, FilePath path) {
        this.mount = mount;
        this.path = path;
        this.logs = new VolumeLogs(mount.bdt());
    }

    /** Makes a new log for the volume, whose map has all synced writes then. */
    VolumeLog open() throws IOException {
        for (int tries = 1; tries <= TRIES; tries++) {
            Optional<FilePath> log = takeOver();
            if (log.isPresent()) {
                play(log.get());
                return new VolumeLog(mount, path, log.get());
            }
        }
        throw new IOException("%s: other servers open it, one after the other".formatted(path));
    }

    private FileStatus status() throws IOException {
        return VolumeLookUps.find(mount, path).status();
    }

    /** Makes a log, and moves the one before into it; empty when another server was faster. */
    Optional<FilePath> takeOver() throws IOException {
        FileStatus volume = status();
        if (volume.isInherited()) {
            // A clone of a directory shows it. It gets its own id.
            expectDone(apply(
                    List.of(new Precondition.SameVersion(path, volume.version())),
                    List.of(new Operation.SetAttributes(
                            path, AttributeChange.ofMtime(volume.attributes().mtimeMillis())))));
            volume = status();
        }
        Optional<String> before = logs.name(volume);
        String name = ScratchNames.of(volume.version().id());
        FilePath log = VolumeLogs.directory(name);
        List<Operation> operations = new ArrayList<>();
        operations.add(new Operation.MakeDirectory(log, VolumeLog.DIRECTORY, true));
        operations.add(new Operation.MakeDirectory(VolumeLog.epoch(log, 1), VolumeLog.DIRECTORY, false));
        if (before.isPresent()) {
            FilePath old = VolumeLogs.directory(before.get());
            if (mount.bdt().stat(old).isEmpty()) {
                // Of two servers that open the volume now, one moves the directory.
                Outcome unused = mount.bdt().mkdir(old, VolumeLog.DIRECTORY, true);
            }
            operations.add(new Operation.Rename(old, log.child(VolumeLogs.BEFORE), false));
        }
        List<ExtendedChange> naming = logs.naming(volume, name, before.isEmpty());
        operations.add(
                new Operation.SetAttributes(path, AttributeChange.ofExtended(naming.toArray(new ExtendedChange[0]))));
        VectorResult result = apply(List.of(new Precondition.SameVersion(path, volume.version())), operations);
        return result instanceof VectorResult.Applied ? Optional.of(log) : Optional.empty();
    }

    private VectorResult apply(List<Precondition> preconditions, List<Operation> operations) throws IOException {
        return mount.bdt().apply(new OperationVector(preconditions, operations));
    }

    private void expectDone(VectorResult result) throws IOException {
        if (result instanceof VectorResult.Refused refused) {
            throw new IOException("%s is not opened for writing: %s".formatted(path, refused.reason()));
        }
    }

    private void play(FilePath log) throws IOException {
        FilePath before = log.child(VolumeLogs.BEFORE);
        if (mount.bdt().stat(before).isEmpty()) {
            return;
        }
        List<FileStatus> groups = logs.groups(before);
        FileStatus volume = status();
        WrittenRanges all = new WrittenRanges();
        for (FileStatus group : groups) {
            for (WrittenPiece piece : read(group)) {
                long end = Math.min(piece.end(), volume.attributes().length());
                if (piece.offset() < end) {
                    all.put(piece.part(piece.offset(), end));
                }
            }
        }
        if (!groups.isEmpty()) {
            LOG.info("{}: plays {} groups of synced writes from the log of the server before", path, groups.size());
        }
        new VolumeCommits(mount, volume, log).commit(all, List.of(new Operation.Delete(before, true)));
    }

    private List<WrittenPiece> read(FileStatus group) throws IOException {
        try (PackingInput input = mount.open(group.path())) {
            byte[] first = read(input, group.path(), LogGroup.FIRST_BYTES);
            byte[] header = read(input, group.path(), LogGroup.headerBytes(group.path(), first));
            return LogGroup.decode(
                    group.path(), group.version(), header, group.attributes().length());
        }
    }

    private static byte[] read(PackingInput input, FilePath file, int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        while (into.hasRemaining()) {
            if (input.read(into.position(), into) < 0) {
                throw new EOFException(
                        "%s ends after %d bytes, within the header of a group".formatted(file, into.position()));
            }
        }
        return into.array();
    }
}
