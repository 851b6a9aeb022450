// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.nbd.DeviceRange;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files whose blocks a volume may share. Each is cloned into the volume's log, where no other client changes it, and read once by a
 * thread.
 */
final class KnownFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KnownFiles.class);
    private static final int READ = 1 << 20;

    private final PackingFileSystem mount;
    private final FilePath log;
    private final List<FilePath> files;
    private final BlockSharing sharing;
    private final List<FilePath> clones = new ArrayList<>();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final Thread thread = new Thread(this::learnAll, "volume-blocks");
    private volatile boolean isKnown;

    KnownFiles(PackingFileSystem mount, FilePath log, List<FilePath> files, BlockSharing sharing) {
        this.mount = mount;
        this.log = log;
        this.files = files;
        this.sharing = sharing;
    }

    /** Clones the files, and begins to read them. */
    void open() throws IOException {
        for (FilePath file : files) {
            FilePath clone = log.child("known-%04d".formatted(clones.size()));
            new VolumeLogs(mount.bdt())
                    .awaitMapped(VolumeLookUps.find(mount, file).status());
            VectorResult result = mount.bdt()
                    .apply(new OperationVector(
                            List.of(), List.of(new Operation.CloneFile(file, clone, false, VolumeFiles.mode(0400)))));
            if (result instanceof VectorResult.Refused refused) {
                throw refused.reason() == Outcome.NOT_FOUND
                        ? new FileNotFoundException(file + ": no such file, so no blocks to share")
                        : new IOException("%s: its blocks cannot be shared: %s".formatted(file, refused.reason()));
            }
            clones.add(clone);
        }
        thread.setDaemon(true);
        thread.start();
    }

    private void learnAll() {
        try {
            for (FilePath clone : clones) {
                learn(clone);
            }
            isKnown = true;
        } catch (IOException e) {
            if (!isClosed.get()) {
                LOG.warn("not all blocks that a volume may share are known: {}", e.toString());
            }
        }
    }

    private void learn(FilePath clone) throws IOException {
        LocatedFile located = VolumeLookUps.find(mount, clone);
        PackingInput input = mount.open(located);
        VolumeBase base = new VolumeBase(located, input);
        long size = located.status().attributes().length();
        int number = sharing.add(located, input);
        for (long at = 0; at < size && !isClosed.get(); ) {
            DeviceRange range = base.range(at, Math.min(size, at + READ));
            if (!range.isHole()) {
                learn(base, number, range);
            }
            at = range.end();
        }
    }

    private void learn(VolumeBase base, int number, DeviceRange range) throws IOException {
        long from = (range.offset() + BlockIndex.BLOCK - 1) / BlockIndex.BLOCK * BlockIndex.BLOCK;
        long end = range.end() / BlockIndex.BLOCK * BlockIndex.BLOCK;
        if (from < end) {
            ByteBuffer bytes = ByteBuffer.allocate((int) (end - from));
            base.read(from, bytes);
            for (int i = 0; i < bytes.capacity(); i += BlockIndex.BLOCK) {
                sharing.learn(number, from + i, bytes.duplicate().position(i).limit(i + BlockIndex.BLOCK));
            }
        }
    }

    /** Returns whether all blocks are known. */
    boolean isKnown() {
        return isKnown;
    }

    /** Ends the reading, and deletes the clones. */
    @Override
    public void close() throws IOException {
        isClosed.set(true);
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw VolumeLookUps.interrupted(e);
        }
        for (FilePath clone : clones) {
            // Another server of the volume may have deleted it.
            Outcome unused = mount.bdt().delete(clone, false);
        }
    }
}
