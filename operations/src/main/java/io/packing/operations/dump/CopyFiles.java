// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.master.table.Waiting;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.store.ObjectNotFoundException;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** Makes files by writing their bytes through the workers of a mount, several at a time. Confined to one thread. */
final class CopyFiles implements Load.Files {
    /** A writer waits for a worker's disk, a reader for a store. */
    private static final int THREADS = 16;

    private static final int MOST_WAITING = 4 * THREADS;
    private static final int BUFFER_BYTES = 256 << 10;

    private final BytesTarget target;
    private final boolean overwrite;
    private final LoadCounts counts;
    private final DumpedBytes source;
    private final Changes directories;
    private final Changes times;
    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "load");
        thread.setDaemon(true);
        return thread;
    });
    private final Deque<Future<Boolean>> waiting = new ArrayDeque<>();

    CopyFiles(BytesTarget target, boolean overwrite, LoadCounts counts, Changes directories) {
        this.directories = directories;
        this.target = target;
        this.overwrite = overwrite;
        this.counts = counts;
        this.source = new DumpedBytes(target.source(), target.keystore());
        this.times = new Changes(target.bdt());
    }

    @Override
    public void make(DumpedEntry entry, FilePath to) throws IOException {
        if (!entry.listed().placement().map(DumpWriter::isPacked).orElse(false)) {
            counts.failed(to, "it was not in the store when the dump was made: flush the mount and dump it again");
            return;
        }
        directories.flush();
        while (waiting.size() >= MOST_WAITING) {
            boolean unused = Waiting.on(waiting.remove());
        }
        waiting.add(executor.submit(() -> copy(entry, to)));
    }

    @Override
    public void finish() throws IOException {
        try {
            while (!waiting.isEmpty()) {
                boolean unused = Waiting.on(waiting.remove());
            }
            times.flush();
        } finally {
            executor.shutdownNow();
        }
    }

    /** Copies a file; a failure is reported, and the others go on. */
    private boolean copy(DumpedEntry entry, FilePath to) throws IOException {
        try {
            Optional<FileStatus> there = target.bdt().stat(to);
            if (there.isEmpty() || (overwrite && !isThere(entry.listed(), there.get()))) {
                write(entry, to);
            } else if (isThere(entry.listed(), there.get())) {
                // A load that was broken off may not have come to the time.
                setTime(to, there.get().version(), entry, counts::isThere);
            } else {
                counts.failed(to, "something else is there; --overwrite replaces a file");
            }
            return true;
        } catch (ObjectNotFoundException | CorruptBlobException e) {
            counts.failed(to, String.valueOf(e.getMessage()));
            return false;
        } catch (FileAlreadyExistsException e) {
            counts.failed(to, "somebody else has just made it");
            return false;
        }
    }

    private boolean isThere(ListedEntry entry, FileStatus there) throws IOException {
        FileAttributes wanted = entry.status().attributes();
        if (there.isDirectory() || there.attributes().length() != wanted.length()) {
            return false;
        }
        return there.attributes().mtimeMillis() == wanted.mtimeMillis() || crc(entry) == crc(there.path());
    }

    private long crc(ListedEntry entry) throws IOException {
        CRC32C crc = new CRC32C();
        try (OutputStream sum = new CheckedOutputStream(OutputStream.nullOutputStream(), crc)) {
            source.write(entry, sum);
        }
        return crc.getValue();
    }

    private long crc(FilePath path) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        try (PackingInput in = target.mount().open(path)) {
            long at = 0;
            for (int count = in.read(at, buffer.clear()); count > 0; count = in.read(at, buffer.clear())) {
                crc.update(buffer.flip());
                at += count;
            }
        }
        return crc.getValue();
    }

    private void write(DumpedEntry entry, FilePath to) throws IOException {
        FileAttributes a = entry.status().attributes();
        CreateOptions options = new CreateOptions(a.owner(), a.group(), a.mode(), true, overwrite);
        PackingOutput out = target.mount().create(to, options);
        try {
            source.write(entry.listed(), out);
        } catch (IOException | RuntimeException e) {
            out.abort();
            throw e;
        }
        out.close();
        setTime(to, out.version(), entry, () -> counts.made(a));
    }

    private void setTime(FilePath to, FileVersion version, DumpedEntry wanted, Runnable done) throws IOException {
        times.add(new Changes.Change(
                List.of(new Precondition.SameVersion(to, version)),
                List.of(new Operation.SetAttributes(to, wanted.change())),
                outcome -> {
                    if (outcome == Outcome.DONE) {
                        done.run();
                    } else {
                        counts.failed(to, "somebody changed it meanwhile");
                    }
                }));
    }
}
