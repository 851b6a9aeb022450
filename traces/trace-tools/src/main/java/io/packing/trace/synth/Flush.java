// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;

/** A flush of one store. It writes a file under {@code .tmp} in blocks, then renames it. */
final class Flush implements Activity {
    private static final long CALL_NANOS = 1_000_000;

    private enum Next {
        CREATE,
        WRITE,
        CLOSE,
        RENAME
    }

    private final StoreFile file;
    private final Events events;
    private final String thread;
    private final int blockBytes;
    private final double nanosPerByte;
    private Next next = Next.CREATE;
    private long time;
    private long stream;
    private long offset;

    Flush(long time, StoreFile file, Workload.Requests requests, Events events, String thread) {
        this.time = time;
        this.file = file;
        this.events = events;
        this.thread = thread;
        this.blockBytes = requests.blockBytes();
        this.nanosPerByte = 1e9 / requests.flushBytesPerSecond();
    }

    @Override
    public long time() {
        return time;
    }

    @Override
    public TraceEvent step() {
        long at = time;
        time += CALL_NANOS;
        switch (next) {
            case CREATE -> {
                stream = events.newStream();
                next = Next.WRITE;
                return events.onPath(at, Call.CREATE_FILE, thread, stream, file.temporaryPath(), "", TraceEvent.NONE);
            }
            case WRITE -> {
                long bytes = Math.min(blockBytes, file.size() - offset);
                TraceEvent event = events.io(at, Call.WRITE, thread, "", stream, file.temporaryPath(), offset, bytes);
                offset += bytes;
                time = at + (long) (bytes * nanosPerByte);
                next = offset < file.size() ? Next.WRITE : Next.CLOSE;
                return event;
            }
            case CLOSE -> {
                next = Next.RENAME;
                return events.onStream(at, Call.CLOSE_OUTPUT, thread, stream, file.temporaryPath(), file.size());
            }
            default -> {
                time = OVER;
                return events.onPath(at, Call.RENAME, thread, TraceEvent.NONE, file.temporaryPath(), file.path(), 1);
            }
        }
    }
}
