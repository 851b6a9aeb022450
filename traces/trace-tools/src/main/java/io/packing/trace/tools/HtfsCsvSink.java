// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools;

import io.packing.trace.Call;
import io.packing.trace.Subject;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSink;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * A writer of the original HTFS format, one line per event.
 *
 * <p>A line is {@code pid,eventId,entryNs,elapsedNs,callId,streamId,returnValue,args…}. Texts are Base64 behind
 * {@code #}.
 *
 * <p>The format has no field for the thread, the user, the wall clock and errors, so they are lost. The writer leaves
 * out and counts calls that the original did not know.
 */
public final class HtfsCsvSink implements TraceSink {
    private static final String NULL = "null";

    private final Writer out;
    private long nextEvent = 1;
    private long leftOut;

    /** @param out closed with this sink */
    public HtfsCsvSink(Writer out) {
        this.out = out;
    }

    /** Returns the number of events without a call number in the original format. */
    public long leftOut() {
        return leftOut;
    }

    @Override
    public void write(TraceEvent event) throws IOException {
        Optional<Integer> number =
                event.count() > 1 ? Optional.of(HtfsCsvCalls.COLLAPSED) : HtfsCsvCalls.number(event.call());
        if (number.isEmpty()) {
            leftOut++;
            return;
        }
        out.write("%d,%d,%d,%d,%d,%d,%s%s%n"
                .formatted(
                        event.origin().pid(),
                        nextEvent++,
                        event.monoNanos(),
                        event.durationNanos(),
                        number.get(),
                        opensStream(event.call()) ? TraceEvent.NONE : event.stream(),
                        returned(event),
                        arguments(event)));
    }

    private static boolean opensStream(Call call) {
        return call.subject() == Subject.FILE_SYSTEM;
    }

    private static String returned(TraceEvent event) {
        if (event.count() > 1) {
            return NULL;
        }
        boolean opened = opensStream(event.call()) && event.stream() != TraceEvent.NONE;
        long value = opened ? event.stream() : event.result();
        return value == TraceEvent.NONE ? NULL : Long.toString(value);
    }

    private static String arguments(TraceEvent event) {
        if (event.count() > 1) {
            return ",%d,%d".formatted(event.count(), event.bytes());
        }
        StringBuilder arguments = new StringBuilder();
        if (opensStream(event.call())) {
            append(arguments, event.path());
            append(arguments, event.target());
        }
        if (event.offset() != TraceEvent.NONE) {
            arguments.append(',').append(event.offset());
        }
        if (event.length() != TraceEvent.NONE) {
            arguments.append(',').append(event.length());
        }
        return arguments.toString();
    }

    private static void append(StringBuilder arguments, String text) {
        if (!text.isEmpty()) {
            arguments.append(",#").append(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
