// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceOrigin;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A pass over the events of a trace file: counts those that need no other event, and sends each file's accesses on.
 *
 * <p>Writes that follow each other on a stream leave as one. Confined to one thread; memory grows with the open
 * streams.
 */
final class TraceScan {
    /** A receiver of the accesses of files. */
    interface Sink {
        void access(long file, long nanos, FileEvent access) throws IOException;
    }

    /**
     * The limit of known streams; above it they are forgotten and looked up again. A process that never closes any must
     * not end the job.
     */
    private static final int MOST_STREAMS = 200_000;

    private static final int NO_CAUSE = -1;

    /** An open stream, and its writes that were not sent on yet. */
    private static final class Stream {
        private final long file;
        private final FileClass fileClass;
        private long next = TraceEvent.NONE;
        private long unsynced;
        private long start;
        private long end;
        private long nanos;
        private int cause = NO_CAUSE;

        Stream(long file, FileClass fileClass) {
            this.file = file;
            this.fileClass = fileClass;
        }
    }

    private final Rules rules;
    private final Identities identities;
    private final Sink sink;
    private final CallCounts calls = new CallCounts();
    private final IoCounts io;
    private final Map<Long, Stream> streams = new HashMap<>();
    private TraceOrigin origin = new TraceOrigin("", 0, "");
    private long originHash;

    TraceScan(Rules rules, Identities identities, Sink sink) {
        this.rules = rules;
        this.identities = identities;
        this.sink = sink;
        this.io = new IoCounts(rules.causes());
    }

    void add(TraceEvent event) throws IOException {
        if (SystemScan.isSystem(event)) {
            return;
        }
        calls.add(event);
        if (event.stream() == TraceEvent.NONE || event.failed()) {
            return;
        }
        Stream stream = stream(event);
        Call call = event.call();
        if (call.reads()) {
            read(event, stream);
        } else if (call.writes()) {
            write(event, stream);
        } else if (call == Call.SEEK) {
            stream.next = event.result();
        } else if (call == Call.HFLUSH || call == Call.HSYNC || call == Call.HSYNC_UPDATE_LENGTH) {
            io.sync(stream.unsynced);
            stream.unsynced = 0;
        } else if (opensInput(call) || call == Call.CLOSE_OUTPUT) {
            if (event.result() > 0) {
                sink.access(stream.file, event.wallNanos(), FileEvent.sized(event.result()));
            }
        }
        if (call == Call.CLOSE_INPUT || call == Call.CLOSE_OUTPUT || call == Call.ABORT) {
            send(stream);
            streams.remove(key(event));
        }
    }

    private static boolean opensInput(Call call) {
        return call == Call.OPEN || call == Call.OPEN_FILE || call == Call.OPEN_PATH_HANDLE;
    }

    private Stream stream(TraceEvent event) throws IOException {
        long key = key(event);
        Stream known = streams.get(key);
        if (known != null) {
            return known;
        }
        if (streams.size() >= MOST_STREAMS) {
            finish();
        }
        Stream opened = new Stream(identities.fileOf(event.path(), event.wallNanos()), rules.classify(event.path()));
        streams.put(key, opened);
        sink.access(opened.file, event.wallNanos(), FileEvent.named(opened.fileClass));
        return opened;
    }

    private long key(TraceEvent event) {
        if (!event.origin().equals(origin)) {
            origin = event.origin();
            originHash = TracedFileIds.of(origin.host() + ":" + origin.pid());
        }
        return TracedFileIds.mix(originHash + event.stream());
    }

    private void read(TraceEvent event, Stream stream) throws IOException {
        long bytes = event.bytes();
        if (bytes == 0 || event.offset() == TraceEvent.NONE) {
            return;
        }
        int cause = rules.cause(stream.fileClass.type(), event.thread(), true);
        int sequential = event.count() - (event.offset() == stream.next ? 0 : 1);
        io.add(cause, stream.fileClass.family(), true, bytes, event.count(), sequential);
        stream.next = event.end();
        FileEvent access = FileEvent.read(event.offset(), event.end(), event.count(), rules.isCore(cause));
        sink.access(stream.file, event.wallNanos(), access);
    }

    private void write(TraceEvent event, Stream stream) throws IOException {
        long bytes = event.bytes();
        if (bytes == 0) {
            return;
        }
        int cause = rules.cause(stream.fileClass.type(), event.thread(), false);
        // A stream whose creation was not traced has no offset at first: then the write is at the known end.
        long offset = event.offset() == TraceEvent.NONE ? Math.max(0, stream.next) : event.offset();
        int sequential = event.count() - (offset == stream.next ? 0 : 1);
        io.add(cause, stream.fileClass.family(), false, bytes, event.count(), sequential);
        if (stream.fileClass.type().equals("log")) {
            io.logWrite(bytes, event.count());
        }
        stream.unsynced += bytes;
        stream.next = offset + bytes;
        if (stream.cause == cause && stream.end == offset) {
            stream.end += bytes;
        } else {
            send(stream);
            stream.cause = cause;
            stream.start = offset;
            stream.end = offset + bytes;
            stream.nanos = event.wallNanos();
        }
    }

    private void send(Stream stream) throws IOException {
        if (stream.cause != NO_CAUSE) {
            sink.access(
                    stream.file, stream.nanos, FileEvent.written(stream.start, stream.end, rules.isCore(stream.cause)));
            stream.cause = NO_CAUSE;
        }
    }

    /** Sends the remaining writes. */
    void finish() throws IOException {
        for (Stream stream : streams.values()) {
            send(stream);
        }
        streams.clear();
    }

    void addTo(Totals totals) {
        calls.addTo(totals);
        io.addTo(totals);
    }
}
