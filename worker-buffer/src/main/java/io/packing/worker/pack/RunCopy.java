// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.blob.BlobRun;
import io.packing.blob.BlobWriter;
import io.packing.blob.Extent;
import io.packing.buffers.Slices;
import io.packing.worker.buffer.BufferedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * A copy of buffered files into a new blob, in their stored form. It plans the place of each file before it reads one,
 * so that idle processors take part: all files of a blob wait for its last one. Serves one copy.
 */
final class RunCopy {
    private static final int RUN_BYTES = 256 << 10;

    /** The buffers of one thread, for its reads and writes. */
    private static final class Lane {
        private final SegmentWindow window = new SegmentWindow();
        private ByteBuffer bytes = ByteBuffer.allocate(RUN_BYTES);

        ByteBuffer bytes(int count) {
            if (count > bytes.capacity()) {
                bytes = ByteBuffer.allocate(count);
            }
            return Slices.of(bytes, 0, count);
        }
    }

    /** A range of the parts, with its place in the blob. */
    private record Run(long place, int bytes, int from, int to) {}

    private final BlobWriter writer;
    private final Map<BufferedFile, Integer> counts = new LinkedHashMap<>();
    private final List<BufferedFile.Part> parts = new ArrayList<>();
    /** The content id of each part. */
    private final List<Long> ids = new ArrayList<>();

    private final List<Run> runs = new ArrayList<>();
    private int firstOfRun;
    private int runBytes;
    private final Queue<Lane> idle = new ConcurrentLinkedQueue<>();
    private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

    RunCopy(BlobWriter writer) {
        this.writer = writer;
    }

    /** Adds a file after the earlier ones. */
    void add(BufferedFile file, List<BufferedFile.Part> its) throws IOException {
        for (BufferedFile.Part part : its) {
            int length = writer.copiedLength(part.extent());
            if (runBytes > 0 && runBytes + length > RUN_BYTES) {
                endRun();
            }
            runBytes += length;
            parts.add(part);
            ids.add(file.version().id());
        }
        counts.put(file, its.size());
    }

    private void endRun() throws IOException {
        if (runBytes > 0) {
            runs.add(new Run(writer.reserve(runBytes), runBytes, firstOfRun, parts.size()));
        }
        firstOfRun = parts.size();
        runBytes = 0;
    }

    /** Copies all files; returns their places. */
    Map<BufferedFile, List<Extent>> run() throws IOException {
        endRun();
        Extent[] moved = new Extent[parts.size()];
        IntStream.range(0, runs.size()).parallel().forEach(number -> copy(runs.get(number), moved));
        check();
        List<Extent> extents = Arrays.asList(moved);
        Map<BufferedFile, List<Extent>> placed = new LinkedHashMap<>();
        int at = 0;
        for (Map.Entry<BufferedFile, Integer> each : counts.entrySet()) {
            placed.put(each.getKey(), List.copyOf(extents.subList(at, at + each.getValue())));
            at += each.getValue();
        }
        return placed;
    }

    private void check() throws IOException {
        for (Exception failure : failures) {
            if (failure instanceof IOException expected) {
                throw expected;
            }
            throw new IllegalStateException("a run was not copied", failure);
        }
    }

    private void copy(Run run, Extent[] moved) {
        if (!failures.isEmpty()) {
            return;
        }
        Lane polled = idle.poll();
        Lane lane = polled == null ? new Lane() : polled;
        try {
            BlobRun into = writer.run(run.place, lane.bytes(run.bytes));
            for (int at = run.from; at < run.to; ) {
                int end = at + lane.window.read(parts.subList(at, run.to));
                for (; at < end; at++) {
                    BufferedFile.Part part = parts.get(at);
                    moved[at] = into.copy(ids.get(at), part.extent(), lane.window.stored(part));
                }
            }
            into.write();
        } catch (IOException | RuntimeException e) {
            // Keep it, so that all threads are done with the file before the caller learns of it.
            failures.add(e);
        }
        idle.add(lane);
    }
}
