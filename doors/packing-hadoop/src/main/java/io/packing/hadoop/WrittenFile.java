// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import com.google.common.primitives.Bytes;
import io.packing.bdt.AppendTarget;
import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.ChangedFileException;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.ScratchFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.PathIOException;
import org.jspecify.annotations.Nullable;

/**
 * A file while it is written. Flushed bytes are in the file: others read them, and they are as durable as the mount
 * asks. The rest appears with the next flush or the close, all of it at once.
 *
 * <p>The first flush of a new file closes it. Later flushed bytes go to a scratch file, whose claim appends them to the file;
 * many bytes at once need a vector after the claim (ANViL §5.3). A file of many small flushes would have as many extents. So a
 * flush writes the ones before it again while they are not larger than it is itself. An extent grows to {@value
 * #MOST_MERGED} bytes, and each byte is written again once for each doubling.
 *
 * <p>The append asks for the version that the flush before it made. So of several writers, or after a recovery of the
 * lease, all but one fail at their next flush. Confined to one thread.
 */
final class WrittenFile {
    private static final int MOST_MERGED = 256 << 10;
    /** Names of a file that is renamed while it is flushed. */
    private static final int ATTEMPTS = 8;

    private final PackingFileSystem mount;
    private final String user;
    private FilePath path;
    /** The version that the last flush left; empty: the first flush is still to come. */
    private Optional<FileVersion> version;

    private long end;
    private long position;
    /** The last extents that were flushed, while they may still be merged. */
    private final Deque<byte[]> extents = new ArrayDeque<>();
    /** The bytes that are not flushed, while they are few. */
    private final ByteArrayOutputStream little = new ByteArrayOutputStream();

    /** The bytes of a new file, until its first flush. */
    private @Nullable PackingOutput first;
    /** The bytes that are not flushed, once they are too many for memory. */
    private @Nullable ScratchFile large;

    private WrittenFile(PackingFileSystem mount, FilePath path, Optional<FileVersion> version, long end, String user) {
        this.mount = mount;
        this.path = path;
        this.version = version;
        this.end = end;
        this.user = user;
    }

    /** Makes a new file. */
    static WrittenFile create(PackingFileSystem mount, FilePath path, CreateOptions options) throws IOException {
        WrittenFile file = new WrittenFile(mount, path, Optional.empty(), 0, options.owner());
        file.first = mount.create(path, options);
        return file;
    }

    /** Opens a present file, behind its end. */
    static WrittenFile append(PackingFileSystem mount, FileStatus file, String user) {
        return new WrittenFile(
                mount,
                file.path(),
                Optional.of(file.version()),
                file.attributes().length(),
                user);
    }

    void write(byte[] bytes, int offset, int count) throws IOException {
        if (first != null) {
            first.write(bytes, offset, count);
            return;
        }
        if (large == null && count > MOST_MERGED - little.size()) {
            large = ScratchFile.create(mount, user, path);
            large.write(little.toByteArray(), 0, little.size());
            little.reset();
        }
        if (large == null) {
            little.write(bytes, offset, count);
        } else {
            large.write(bytes, offset, count);
        }
    }

    /** Gives up unflushed bytes. */
    void abort() {
        if (first != null) {
            first.abort();
        }
        if (large != null) {
            large.abort();
        }
    }

    /** Makes all that was written a part of the file, and leaves nothing else behind. */
    void flush() throws IOException {
        ScratchFile written = large;
        large = null;
        if (first != null) {
            first.close();
            version = Optional.of(first.version());
            end = first.attributes().length();
            first = null;
        } else if (written != null) {
            extents.clear();
            written.close();
            become(written, end);
        } else if (little.size() > 0) {
            byte[] merged = merged();
            append(merged, end + little.size() - merged.length);
            little.reset();
        }
    }

    /** Returns the bytes that are not flushed, and before them the extents that are written again with them. */
    private byte[] merged() {
        byte[] all = little.toByteArray();
        while (!extents.isEmpty()
                && extents.getLast().length <= all.length
                && extents.getLast().length + all.length <= MOST_MERGED) {
            all = Bytes.concat(extents.removeLast(), all);
        }
        if (all.length > MOST_MERGED / 2) {
            // Nothing will be merged with it any more, nor with earlier extents.
            extents.clear();
        } else {
            extents.addLast(all);
        }
        return all;
    }

    /** Makes bytes those of the file from an offset on, up to its new end: by one request, unless the file was renamed. */
    private void append(byte[] bytes, long start) throws IOException {
        ScratchFile scratch = ScratchFile.appending(mount, user, new AppendTarget(path, version.orElseThrow(), start));
        try {
            scratch.write(bytes, 0, bytes.length);
            scratch.close();
        } catch (ChangedFileException e) {
            // It has another name, or another writer. A vector finds out which.
            scratch = ScratchFile.create(mount, user, path);
            scratch.write(bytes, 0, bytes.length);
            scratch.close();
        }
        Optional<FileVersion> appended = scratch.appended();
        if (appended.isPresent()) {
            version = appended;
            position = appended.get().generation();
            end = start + bytes.length;
        } else {
            become(scratch, start);
        }
    }

    /** Makes the bytes of a scratch file those of the file from an offset on, up to its new end. */
    private void become(ScratchFile scratch, long start) throws IOException {
        for (int attempt = 1; ; attempt++) {
            FileVersion known = version.orElseThrow();
            VectorResult result = bdt().apply(new OperationVector(
                    List.of(new Precondition.SameVersion(path, known)), scratch.putAll(path, start)));
            if (result instanceof VectorResult.Applied applied) {
                position = applied.position();
                // The clone comes right before the last position, unless a snapshot made the master note more.
                version = Optional.of(new FileVersion(known.id(), position - 1));
                end = start + scratch.length();
                return;
            }
            if (attempt == ATTEMPTS || !foundAgain(known)) {
                scratch.delete(bdt());
                throw new PathIOException(
                        path.value(), "changed while it was written: nothing was appended since the last flush");
            }
        }
    }

    /** Returns whether the file has another name, or a version that the last flush of this writer made. */
    private boolean foundAgain(FileVersion known) throws IOException {
        Optional<FileStatus> there = bdt().stat(path);
        if (there.isPresent()
                && there.get().version().id() == known.id()
                && there.get().version().generation() <= position
                && !there.get().version().equals(known)) {
            version = Optional.of(there.get().version());
            return true;
        }
        Optional<FilePath> renamed =
                bdt().locate(known).map(found -> found.status().path()).filter(now -> !now.equals(path));
        renamed.ifPresent(now -> path = now);
        return renamed.isPresent();
    }

    private Bdt bdt() {
        return mount.bdt();
    }
}
