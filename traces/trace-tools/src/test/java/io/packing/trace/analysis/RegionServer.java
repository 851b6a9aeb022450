// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A maker of a RegionServer's events by hand, one second after another. */
final class RegionServer {
    static final String STORE = "/hbase/data/default/messages/0123456789abcdef0123456789abcdef/";
    static final String HANDLER = "RpcServer.default.FPBQ.Fifo.handler=1,queue=0,port=16020";
    static final String FLUSHER = "MemStoreFlusher.0";
    static final String COMPACTOR = "regionserver/rs-1:16020-shortCompactions-0";
    private static final long SECOND = 1_000_000_000L;
    private static final long START = 1_370_563_200L * SECOND;

    private final List<TraceEvent> events = new ArrayList<>();
    private final TraceOrigin origin;
    private String thread = HANDLER;
    private long seconds;
    private long streams;

    RegionServer(String host) {
        this.origin = new TraceOrigin(host, 7, "regionserver");
    }

    RegionServer as(String newThread) {
        thread = newThread;
        return this;
    }

    RegionServer waitSeconds(long more) {
        seconds += more;
        return this;
    }

    long create(String path) {
        add(at(Call.CREATE_FILE).stream(++streams).path(path));
        return streams;
    }

    long open(String path, long length) {
        add(at(Call.OPEN_FILE).stream(++streams).path(path).result(length));
        return streams;
    }

    RegionServer write(long stream, String path, long offset, long bytes) {
        return add(at(Call.WRITE).stream(stream).path(path).range(offset, bytes).result(bytes));
    }

    RegionServer read(Call call, long stream, String path, long offset, long bytes) {
        return add(at(call).stream(stream).path(path).range(offset, bytes).result(bytes));
    }

    RegionServer failed(Call call, long stream, String path) {
        return add(at(call).stream(stream).path(path).error("IOException"));
    }

    RegionServer hflush(long stream, String path) {
        return add(at(Call.HFLUSH).stream(stream).path(path));
    }

    RegionServer close(long stream, String path, long length) {
        return add(at(Call.CLOSE_OUTPUT).stream(stream).path(path).result(length));
    }

    RegionServer rename(String path, String target) {
        return add(at(Call.RENAME).path(path).target(target).result(1));
    }

    RegionServer delete(String path) {
        return add(at(Call.DELETE).path(path).result(1));
    }

    /** Creates, writes, closes and renames a file of {@code bytes}, as a flush or a compaction does. */
    RegionServer store(String temporary, String path, long bytes) {
        long stream = create(temporary);
        return write(stream, temporary, 0, bytes)
                .close(stream, temporary, bytes)
                .rename(temporary, path);
    }

    private TraceEventBuilder at(Call call) {
        seconds++;
        return new TraceEventBuilder(call)
                .origin(origin)
                .at(START + seconds * SECOND, seconds * SECOND)
                .duration(1_000_000)
                .caller(thread, "hbase", "");
    }

    private RegionServer add(TraceEventBuilder event) {
        events.add(event.build());
        return this;
    }

    List<TraceEvent> events() {
        return List.copyOf(events);
    }

    Path save(Path file) throws IOException {
        try (TraceFileWriter writer = TraceFileWriter.create(file)) {
            for (TraceEvent event : events) {
                writer.write(event);
            }
        }
        return file;
    }
}
