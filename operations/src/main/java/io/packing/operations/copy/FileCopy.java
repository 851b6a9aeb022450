// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.copy;

import io.packing.operations.store.StoreFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * Copies files. A file appears under its name only when it is whole. It is written under another name first. Exceptions are stores, and mounts
 * for files that fit in memory: both show a file when it is closed. Thread-safe.
 */
final class FileCopy {
    /** The suffix of an unfinished file, as in Hadoop's shell. */
    private static final String UNFINISHED = "._COPYING_";

    private static final int BUFFER_BYTES = 1 << 20;
    /** Each thread holds one such file. */
    private static final int MOST_IN_MEMORY = 4 << 20;

    private final FileSystem from;
    private final FileSystem to;
    private final CopySpec spec;
    private final boolean toMount;
    private final boolean toStore;

    /** The result of one file. */
    enum Ended {
        COPIED,
        THERE
    }

    /** A file was not copied, and others may be. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException(String why) {
            super(why);
        }
    }

    FileCopy(FileSystem from, FileSystem to, CopySpec spec) {
        this.from = from;
        this.to = to;
        this.spec = spec;
        this.toMount = "packing".equals(to.getUri().getScheme());
        this.toStore = to instanceof StoreFileSystem;
    }

    /** Copies a file, unless it is there. */
    Ended copy(FileStatus source, Path target) throws IOException {
        Optional<FileStatus> there = status(target);
        if (there.isPresent()) {
            if (there.get().isDirectory()) {
                throw new RefusedException("a directory is in its place");
            }
            if (isSame(source, there.get())) {
                return Ended.THERE;
            }
            if (!spec.overwrite() && isWithoutItsTime(source, there.get())) {
                to.setTimes(target, source.getModificationTime(), -1);
                return Ended.THERE;
            }
            if (!spec.overwrite()) {
                throw new RefusedException("another file is in its place; --overwrite replaces it");
            }
        }
        boolean atOnce = toMount && source.getLen() <= MOST_IN_MEMORY;
        boolean direct = atOnce || toStore;
        Path written = direct ? target : new Path(target.getParent(), plain(target.getName() + UNFINISHED));
        int crc = atOnce ? writeAtOnce(source, written) : write(source, written);
        if (spec.checksum() && crc(to, written) != crc) {
            remove(written);
            throw new RefusedException("its copy does not read as it was written; look at the disks and the network");
        }
        // Before the rename: a visible file has the time by which a later copy recognises it.
        to.setTimes(written, source.getModificationTime(), -1);
        if (!direct) {
            rename(written, target, there.isPresent());
        }
        return Ended.COPIED;
    }

    private void rename(Path written, Path target, boolean replaces) throws IOException {
        if (replaces && !to.delete(target, false)) {
            throw new IOException("%s could not be replaced".formatted(target));
        }
        if (!to.rename(written, target)) {
            throw new IOException("%s could not be given its name".formatted(target));
        }
    }

    /** A name as a relative path, also when it has a colon. */
    static Path plain(String name) {
        return new Path(null, null, name);
    }

    private Optional<FileStatus> status(Path target) throws IOException {
        try {
            return Optional.of(to.getFileStatus(target));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    private boolean isSame(FileStatus source, FileStatus there) throws IOException {
        if (source.getLen() != there.getLen()) {
            return false;
        }
        if (spec.checksum()) {
            return crc(from, source.getPath()) == crc(to, there.getPath());
        }
        // An object has the time at which the store got it, to the second.
        return toStore
                ? source.getModificationTime() / 1_000 <= there.getModificationTime() / 1_000
                : source.getModificationTime() == there.getModificationTime();
    }

    /** Returns whether a copy broke off after it wrote this file's bytes, and before it set the time. */
    private boolean isWithoutItsTime(FileStatus source, FileStatus there) throws IOException {
        return source.getLen() == there.getLen() && crc(from, source.getPath()) == crc(to, there.getPath());
    }

    private int writeAtOnce(FileStatus source, Path target) throws IOException {
        byte[] all;
        try (InputStream in = from.open(source.getPath())) {
            all = in.readNBytes(MOST_IN_MEMORY + 1);
        }
        checkUnchanged(source, all.length);
        try (OutputStream out = create(source, target)) {
            out.write(all);
        }
        CRC32C crc = new CRC32C();
        crc.update(all);
        return (int) crc.getValue();
    }

    /** Returns the CRC32C of what was read. */
    private int write(FileStatus source, Path target) throws IOException {
        CRC32C crc = new CRC32C();
        try (InputStream in = from.open(source.getPath());
                FSDataOutputStream out = create(source, target)) {
            try {
                checkUnchanged(source, move(in, out, crc));
            } catch (IOException | RuntimeException | Error e) {
                if (out.hasCapability(StreamCapabilities.ABORTABLE_STREAM)) {
                    // The part of a file would be an object.
                    out.abort();
                }
                throw e;
            }
        }
        return (int) crc.getValue();
    }

    private FSDataOutputStream create(FileStatus source, Path target) throws IOException {
        return to.create(
                target,
                source.getPermission(),
                true,
                BUFFER_BYTES,
                to.getDefaultReplication(target),
                to.getDefaultBlockSize(target),
                null);
    }

    private static void checkUnchanged(FileStatus source, long read) throws RefusedException {
        if (read != source.getLen()) {
            throw new RefusedException(
                    "it changed while it was copied: it had %,d bytes, and then other ones".formatted(source.getLen()));
        }
    }

    private static long move(InputStream in, OutputStream out, CRC32C crc) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long all = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            out.write(buffer, 0, read);
            crc.update(buffer, 0, read);
            all += read;
        }
        return all;
    }

    private static int crc(FileSystem files, Path path) throws IOException {
        CRC32C crc = new CRC32C();
        try (InputStream in = files.open(path)) {
            long all = move(in, OutputStream.nullOutputStream(), crc);
            return all < 0 ? 0 : (int) crc.getValue();
        }
    }

    private void remove(Path path) throws IOException {
        if (!to.delete(path, false)) {
            throw new IOException("%s could not be deleted".formatted(path));
        }
    }
}
