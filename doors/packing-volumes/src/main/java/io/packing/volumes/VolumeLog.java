// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The log of a volume as its server writes it (RFC 0028): each group is a file, in the directory of an epoch. Thread-safe.
 */
final class VolumeLog {
    /** The attributes of the log's directories: no other user's programs have business there. */
    static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("", "", 0700);

    private static final int FILE_MODE = 0600;
    private static final int PIECE = 64 << 10;

    private final PackingFileSystem mount;
    private final FilePath volume;
    private final FilePath directory;
    private final CreateOptions options;
    private int epoch = 1;
    private boolean isMade = true;
    private long number;

    /**
     * @param directory of the log, with that of the first epoch in it
     */
    VolumeLog(PackingFileSystem mount, FilePath volume, FilePath directory) {
        this.mount = mount;
        this.volume = volume;
        this.directory = directory;
        CreateOptions own = new CreateOptions("", "", FILE_MODE, false, true);
        this.options = mount.isUploaded(volume) ? own.asUploaded() : own;
    }

    /** The place of a group. */
    record Slot(int epoch, FilePath file) {}

    static FilePath epoch(FilePath directory, int epoch) {
        return directory.child("%08d".formatted(epoch));
    }

    FilePath directory() {
        return directory;
    }

    /** Returns the place of the next group. */
    synchronized Slot next() {
        number++;
        return new Slot(epoch, epoch(directory, epoch).child("%016d".formatted(number)));
    }

    /** Begins another epoch, after an upload whose file may turn up later. */
    synchronized void beginEpoch() {
        if (isMade) {
            epoch++;
            isMade = false;
        }
    }

    private synchronized void make() throws IOException {
        if (!isMade) {
            Outcome made = mount.bdt().mkdir(epoch(directory, epoch), DIRECTORY, false);
            if (made == Outcome.NO_PARENT || made == Outcome.NOT_FOUND) {
                throw lost();
            }
            if (made != Outcome.DONE && made != Outcome.EXISTS) {
                throw new IOException("%s: no directory for its log: %s".formatted(volume, made));
            }
            isMade = true;
        }
    }

    /**
     * Writes a group; returns its pieces with their places when they are durable.
     *
     * @throws VolumeLostException when another server has the log
     */
    WrittenRanges write(Slot slot, WrittenRanges group) throws IOException {
        make();
        Collection<WrittenPiece> pieces = group.all();
        PackingOutput output = mount.create(slot.file(), options);
        try {
            byte[] header = LogGroup.header(pieces);
            output.write(header, 0, header.length);
            byte[] copied = new byte[PIECE];
            for (WrittenPiece piece : pieces) {
                ByteBuffer left = piece.bytes().duplicate().rewind();
                while (left.hasRemaining()) {
                    int count = Math.min(copied.length, left.remaining());
                    left.get(copied, 0, count);
                    output.write(copied, 0, count);
                }
            }
            output.close();
        } catch (NoSuchFileException e) {
            throw lost();
        } catch (IOException | RuntimeException e) {
            output.abort();
            throw e;
        }
        return LogGroup.placed(pieces, slot.file(), output.version());
    }

    private VolumeLostException lost() {
        return new VolumeLostException(volume + ": another server has its log, and writes it from now on");
    }

    /** Returns the operations that delete the directories of epochs before another one. */
    List<Operation.Delete> deleteEpochs(int from, int before) {
        List<Operation.Delete> deletes = new ArrayList<>();
        for (int each = from; each < before; each++) {
            deletes.add(new Operation.Delete(epoch(directory, each), true));
        }
        return deletes;
    }
}
