// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceOrigin;
import io.packing.trace.TraceSink;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A writer of the Trace Event Format (JSON), which Perfetto and Chrome's {@code about:tracing} show.
 *
 * <p>Each call is a complete event in the row of its thread. Times are microseconds since the first event.
 */
public final class ChromeTrace implements TraceSink {
    private record Row(TraceOrigin origin, String thread) {}

    private final JsonGenerator json;
    private final Map<TraceOrigin, Integer> processes = new HashMap<>();
    private final Map<Row, Integer> rows = new HashMap<>();
    private long zero = Long.MIN_VALUE;

    /** @param out closed with this sink */
    public ChromeTrace(OutputStream out) throws IOException {
        json = new JsonFactory().createGenerator(out);
        json.writeStartObject();
        json.writeStringField("displayTimeUnit", "ns");
        json.writeArrayFieldStart("traceEvents");
    }

    @Override
    public void write(TraceEvent event) throws IOException {
        if (zero == Long.MIN_VALUE) {
            zero = event.wallNanos();
        }
        int process = process(event.origin());
        int row = row(event, process);
        json.writeStartObject();
        json.writeStringField("name", event.call().label());
        json.writeStringField("cat", event.call().subject().name().toLowerCase(Locale.ROOT));
        json.writeStringField("ph", "X");
        json.writeNumberField("ts", (event.wallNanos() - zero) / 1e3);
        json.writeNumberField("dur", Math.max(event.durationNanos(), event.lastNanos() - event.monoNanos()) / 1e3);
        json.writeNumberField("pid", process);
        json.writeNumberField("tid", row);
        json.writeObjectFieldStart("args");
        json.writeStringField("path", event.path());
        json.writeNumberField("offset", event.offset());
        json.writeNumberField("length", event.length());
        json.writeNumberField("result", event.result());
        json.writeNumberField("count", event.count());
        json.writeNumberField("stream", event.stream());
        json.writeStringField("error", event.error());
        json.writeEndObject();
        json.writeEndObject();
        json.writeRaw('\n');
    }

    private int process(TraceOrigin origin) throws IOException {
        Integer known = processes.get(origin);
        if (known != null) {
            return known;
        }
        int number = processes.size() + 1;
        processes.put(origin, number);
        name("process_name", number, 0, "%s %s:%d".formatted(origin.process(), origin.host(), origin.pid()));
        return number;
    }

    private int row(TraceEvent event, int process) throws IOException {
        Row row = new Row(event.origin(), event.thread());
        Integer known = rows.get(row);
        if (known != null) {
            return known;
        }
        int number = rows.size() + 1;
        rows.put(row, number);
        name("thread_name", process, number, event.thread());
        return number;
    }

    private void name(String what, int process, int row, String name) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", what);
        json.writeStringField("ph", "M");
        json.writeNumberField("pid", process);
        json.writeNumberField("tid", row);
        json.writeObjectFieldStart("args");
        json.writeStringField("name", name);
        json.writeEndObject();
        json.writeEndObject();
        json.writeRaw('\n');
    }

    @Override
    public void close() throws IOException {
        try (json) {
            json.writeEndArray();
            json.writeEndObject();
        }
    }
}
