// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSink;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;

/** A writer of one readable line per event. */
public final class TextLines implements TraceSink {
    private static final long NANOS = 1_000_000_000;

    private final PrintWriter out;

    /** @param out flushed with this sink, not closed */
    public TextLines(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void write(TraceEvent event) throws IOException {
        out.printf(
                Locale.ROOT,
                "%s %9.3f ms %s:%d [%s] %s",
                Instant.ofEpochSecond(Math.floorDiv(event.wallNanos(), NANOS), Math.floorMod(event.wallNanos(), NANOS)),
                event.durationNanos() / 1e6,
                event.origin().host(),
                event.origin().pid(),
                event.thread(),
                event.call().label());
        if (event.count() > 1) {
            out.printf(" x%d", event.count());
        }
        if (event.stream() != TraceEvent.NONE) {
            out.printf(" #%d", event.stream());
        }
        if (event.descriptor() != TraceEvent.NONE) {
            out.printf(" fd %d", event.descriptor());
        }
        out.print(' ');
        out.print(event.path());
        if (!event.target().isEmpty()) {
            out.printf(" -> %s", event.target());
        }
        if (event.offset() != TraceEvent.NONE || event.length() != TraceEvent.NONE) {
            out.printf(" @%d+%d", event.offset(), event.length());
        }
        if (event.result() != TraceEvent.NONE) {
            out.printf(" = %d", event.result());
        }
        if (event.fileSize() != TraceEvent.NONE) {
            out.printf(" of %d", event.fileSize());
        }
        if (event.failed()) {
            out.printf(" ! %s", event.error());
        }
        if (!event.hints().isEmpty()) {
            out.printf(" {%s}", event.hints());
        }
        out.println();
        if (out.checkError()) {
            throw new IOException("the output was closed");
        }
    }

    @Override
    public void close() {
        out.flush();
    }
}
