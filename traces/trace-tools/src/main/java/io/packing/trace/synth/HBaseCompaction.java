// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.util.List;

/**
 * A compaction. It reads its inputs side by side, each in order, and writes its output under {@code .tmp}. Then it
 * renames the output and deletes the inputs.
 */
final class HBaseCompaction implements Activity {
    private static final long CALL_NANOS = 500_000;

    private enum Next {
        OPEN,
        CREATE,
        SEEK,
        READ,
        CLOSE_INPUT,
        CLOSE_OUTPUT,
        RENAME,
        DELETE
    }

    private final List<StoreFile> inputs;
    private final StoreFile output;
    private final Events events;
    private final String thread;
    private final int blockBytes;
    private final double nanosPerByte;
    private final long[] streams;
    private final long[] positions;
    private final String[] paths;
    private final String outputPath;
    private final long toRead;

    private Next next = Next.OPEN;
    private int input;
    private long read;
    private long written;
    private long stream;
    private long time;

    HBaseCompaction(
            long time,
            List<StoreFile> inputs,
            StoreFile output,
            Workload.Requests requests,
            Events events,
            String thread) {
        this.time = time;
        this.inputs = inputs;
        this.output = output;
        this.events = events;
        this.thread = thread;
        this.blockBytes = requests.blockBytes();
        this.nanosPerByte = 1e9 / requests.compactionBytesPerSecond();
        this.streams = new long[inputs.size()];
        this.positions = new long[inputs.size()];
        this.paths = inputs.stream().map(StoreFile::path).toArray(String[]::new);
        this.outputPath = output.temporaryPath();
        this.toRead = inputs.stream().mapToLong(StoreFile::scanned).sum();
    }

    @Override
    public long time() {
        return time;
    }

    @Override
    public TraceEvent step() {
        long at = time;
        time += CALL_NANOS;
        return switch (next) {
            case OPEN -> open(at);
            case CREATE -> create(at);
            case SEEK -> seek(at);
            case READ -> written() ? write(at) : read(at);
            case CLOSE_INPUT -> closeInput(at);
            case CLOSE_OUTPUT -> closeOutput(at);
            case RENAME -> rename(at);
            case DELETE -> delete(at);
        };
    }

    private TraceEvent open(long at) {
        streams[input] = events.newStream();
        TraceEvent event = events.onPath(
                at,
                Call.OPEN_FILE,
                thread,
                streams[input],
                paths[input],
                "",
                inputs.get(input).size());
        forEachInput(Next.OPEN, Next.CREATE);
        return event;
    }

    private TraceEvent create(long at) {
        stream = events.newStream();
        next = Next.SEEK;
        return events.onPath(at, Call.CREATE_FILE, thread, stream, outputPath, "", TraceEvent.NONE);
    }

    private TraceEvent seek(long at) {
        TraceEvent event = events.onStream(at, Call.SEEK, thread, streams[input], paths[input], 0);
        forEachInput(Next.SEEK, Next.READ);
        return event;
    }

    /** Returns whether the next block of the output is due. */
    private boolean written() {
        long due = (long) ((double) read / toRead * output.size());
        return due - written >= blockBytes || (read == toRead && written < output.size());
    }

    private TraceEvent write(long at) {
        long bytes = Math.min(blockBytes, output.size() - written);
        TraceEvent event = events.io(at, Call.WRITE, thread, "", stream, outputPath, written, bytes);
        written += bytes;
        time = at + CALL_NANOS / 4;
        finish();
        return event;
    }

    private TraceEvent read(long at) {
        int behind = mostBehind();
        long bytes = Math.min(blockBytes, inputs.get(behind).scanned() - positions[behind]);
        TraceEvent event = events.io(
                at, Call.READ_BYTE_BUFFER, thread, "", streams[behind], paths[behind], positions[behind], bytes);
        positions[behind] += bytes;
        read += bytes;
        time = at + (long) (bytes * nanosPerByte);
        finish();
        return event;
    }

    private void finish() {
        if (read == toRead && written == output.size()) {
            next = Next.CLOSE_INPUT;
            input = 0;
        }
    }

    /**
     * Returns the input of which the smallest share was read: keys are spread evenly, so a merge advances all inputs
     * alike.
     */
    private int mostBehind() {
        int behind = 0;
        double least = Double.MAX_VALUE;
        for (int i = 0; i < positions.length; i++) {
            long scanned = inputs.get(i).scanned();
            double share = positions[i] / (double) scanned;
            if (positions[i] < scanned && share < least) {
                least = share;
                behind = i;
            }
        }
        return behind;
    }

    private TraceEvent closeInput(long at) {
        TraceEvent event = events.onStream(at, Call.CLOSE_INPUT, thread, streams[input], paths[input], TraceEvent.NONE);
        forEachInput(Next.CLOSE_INPUT, Next.CLOSE_OUTPUT);
        return event;
    }

    private TraceEvent closeOutput(long at) {
        next = Next.RENAME;
        return events.onStream(at, Call.CLOSE_OUTPUT, thread, stream, outputPath, output.size());
    }

    private TraceEvent rename(long at) {
        next = Next.DELETE;
        return events.onPath(at, Call.RENAME, thread, TraceEvent.NONE, outputPath, output.path(), 1);
    }

    private TraceEvent delete(long at) {
        TraceEvent event = events.onPath(at, Call.DELETE, thread, TraceEvent.NONE, paths[input], "", 1);
        if (++input == paths.length) {
            time = OVER;
        }
        return event;
    }

    private void forEachInput(Next same, Next after) {
        next = ++input == paths.length ? after : same;
        if (next == after) {
            input = 0;
        }
    }
}
