// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.blob.FilePath;
import io.packing.nbd.DeviceRange;
import io.packing.nbd.NbdDevice;
import io.packing.nbd.NbdError;
import io.packing.nbd.NbdException;
import io.packing.worker.api.PackingFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A file of a mount as a device. Written bytes are in memory until a group of them goes into the log, by threads of the
 * volume. Thread-safe.
 */
public final class Volume implements NbdDevice, AutoCloseable {
    private static final int READ_TRIES = 4;

    private final FilePath path;
    private final long size;
    private final VolumeMemory limits;
    private final Executor background;
    private final VolumeView view;
    private final VolumeLookUps lookUps;
    /** Empty: each block has bytes of its own. */
    private final Optional<BlockSharing> sharing;

    private final Optional<KnownFiles> known;
    /** Empty: the volume refuses changes. */
    private final Optional<VolumeWriter> writer;

    private Volume(
            PackingFileSystem mount,
            LocatedFile located,
            Optional<VolumeLog> log,
            VolumeMemory limits,
            VolumeSharing sharing,
            Executor background)
            throws IOException {
        FileStatus status = located.status();
        this.path = status.path();
        this.size = status.attributes().length();
        this.limits = limits;
        this.background = background;
        this.view = new VolumeView(
                new VolumeBase(located, mount.open(located)),
                new VolumeContents(mount, path),
                limits.committedBytes() / 2);
        this.lookUps = new VolumeLookUps(mount, path, view);
        this.sharing = log.isPresent() && sharing.isOn()
                ? Optional.of(new BlockSharing(new BlockIndex(sharing.blocks()), path, status.version()))
                : Optional.empty();
        this.known =
                this.sharing.map(to -> new KnownFiles(mount, log.orElseThrow().directory(), sharing.from(), to));
        this.writer = log.map(its -> new VolumeWriter(
                path,
                limits,
                view,
                its,
                new VolumeCommits(mount, status, its.directory()),
                this.sharing,
                this::mapped));
    }

    /**
     * Opens a volume. A server that opens it for writing takes it away from the one before.
     *
     * @param readOnly refuses changes; a file without a right to write, and one of a snapshot, refuses them as well
     * @param background runs look-ups of the table while clients go on
     * @throws FileNotFoundException when the path has no file
     */
    public static Volume open(
            PackingFileSystem mount, FilePath path, boolean readOnly, VolumeMemory limits, Executor background)
            throws IOException {
        return open(mount, path, readOnly, limits, VolumeSharing.NONE, background);
    }

    /**
     * Opens a volume, as the other does.
     *
     * @param sharing of equal blocks, for a volume that takes changes
     * @throws FileNotFoundException also when a file whose blocks it may share is not there
     */
    public static Volume open(
            PackingFileSystem mount,
            FilePath path,
            boolean readOnly,
            VolumeMemory limits,
            VolumeSharing sharing,
            Executor background)
            throws IOException {
        FileStatus status = VolumeLookUps.find(mount, path).status();
        VolumeFiles.checkSize(path, status.attributes().length());
        Optional<VolumeLog> log = Optional.empty();
        if (readOnly || VolumeFiles.isReadOnly(status)) {
            new VolumeLogs(mount.bdt()).awaitMapped(status);
        } else {
            log = Optional.of(new VolumeOpening(mount, path).open());
        }
        Volume volume = new Volume(mount, VolumeLookUps.find(mount, path), log, limits, sharing, background);
        if (volume.known.isPresent()) {
            volume.known.get().open();
        }
        volume.writer.ifPresent(VolumeWriter::start);
        return volume;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public boolean isReadOnly() {
        return writer.isEmpty();
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        int position = into.position();
        for (int tries = 1; ; tries++) {
            VolumeBase from = view.base();
            try {
                view.read(offset, into);
                return;
            } catch (FileNotFoundException e) {
                // Contents were freed or joined since the base was looked up.
                if (tries == READ_TRIES) {
                    throw e;
                }
                into.position(position);
                lookUps.renewAfter(from);
            }
        }
    }

    @Override
    public List<DeviceRange> ranges(long offset, long length, int most) {
        return view.ranges(offset, length, most);
    }

    @Override
    public void write(long offset, ByteBuffer bytes) throws IOException {
        writer().change(WrittenPiece.copy(offset, bytes));
    }

    @Override
    public void punch(long offset, long length) throws IOException {
        writer().change(WrittenPiece.hole(offset, length));
    }

    private VolumeWriter writer() throws NbdException {
        return writer.orElseThrow(() -> new NbdException(NbdError.EPERM, path + " is read-only"));
    }

    @Override
    public CompletableFuture<Void> flush() {
        return writer.isPresent() ? writer.get().flush() : CompletableFuture.completedFuture(null);
    }

    /** The map has further changes: their memory is free after a look-up. */
    private void mapped() {
        if (view.committedBytes() >= limits.committedBytes() && view.beginRenewal()) {
            background.execute(lookUps::renewQuietly);
        }
    }

    /**
     * Syncs what was written, and ends. The mount stays open.
     *
     * @throws IOException when the last changes are not in the table
     */
    @Override
    public void close() throws IOException {
        if (writer.isPresent()) {
            writer.get().close();
        }
        if (known.isPresent()) {
            known.get().close();
        }
    }

    /** Returns the bytes of written blocks that share those of equal ones. */
    public long sharedBytes() {
        return sharing.map(BlockSharing::sharedBytes).orElse(0L);
    }

    /** Returns the bytes of written blocks that became holes because they were zeros. */
    public long zeroBytes() {
        return sharing.map(BlockSharing::zeroBytes).orElse(0L);
    }

    /** Returns whether the blocks of all files that it may share with are known. */
    public boolean knowsAll() {
        return known.map(KnownFiles::isKnown).orElse(true);
    }
}
