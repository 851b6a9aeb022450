// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSink;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;

/**
 * A writer of one JSON object per event and line, with the names of {@link TraceEvent}. It leaves out fields that do
 * not apply.
 */
public final class JsonLines implements TraceSink {
    private final JsonGenerator json;

    /** @param out closed with this sink */
    public JsonLines(OutputStream out) throws IOException {
        json = new JsonFactory().createGenerator(out).setRootValueSeparator(null);
    }

    /** @param out flushed with this sink, not closed */
    public JsonLines(Writer out) throws IOException {
        json = new JsonFactory()
                .createGenerator(out)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .setRootValueSeparator(null);
    }

    @Override
    public void write(TraceEvent event) throws IOException {
        json.writeStartObject();
        json.writeNumberField("wall_ns", event.wallNanos());
        json.writeNumberField("mono_ns", event.monoNanos());
        json.writeNumberField("duration_ns", event.durationNanos());
        json.writeStringField("call", event.call().label());
        if (event.count() > 1) {
            json.writeNumberField("count", event.count());
            json.writeNumberField("last_ns", event.lastNanos());
        }
        json.writeStringField("host", event.origin().host());
        json.writeNumberField("pid", event.origin().pid());
        text("process", event.origin().process());
        text("thread", event.thread());
        text("user", event.user());
        text("context", event.context());
        json.writeNumberField("file_system", event.fileSystem());
        number("stream", event.stream());
        text("path", event.path());
        text("target", event.target());
        number("offset", event.offset());
        number("length", event.length());
        number("result", event.result());
        text("error", event.error());
        text("hints", event.hints());
        number("descriptor", event.descriptor());
        number("file_size", event.fileSize());
        json.writeEndObject();
        json.writeRaw('\n');
    }

    private void text(String name, String value) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(name, value);
        }
    }

    private void number(String name, long value) throws IOException {
        if (value != TraceEvent.NONE) {
            json.writeNumberField(name, value);
        }
    }

    @Override
    public void close() throws IOException {
        json.close();
    }
}
