// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Logs for tests, and the events read from them. */
final class Logs {
    static final long START = 1_700_000_000_000_000_000L;

    /** The events of a log, and its source's counts. */
    record Read(List<TraceEvent> events, Map<UnrecordedReason, Long> unseen, Map<Irregularity, Long> irregular) {
        List<TraceEvent> calls() {
            return events.stream().filter(event -> !event.call().isNote()).toList();
        }

        /** Returns the only event of a call. */
        TraceEvent only(String call) {
            List<TraceEvent> of = all(call);
            if (of.size() != 1) {
                throw new AssertionError("%d of %s: %s".formatted(of.size(), call, of));
            }
            return of.get(0);
        }

        List<TraceEvent> all(String call) {
            return events.stream()
                    .filter(event -> event.call().label().equals(call))
                    .toList();
        }
    }

    private Logs() {}

    /** Reads lines, each of which gets a newline. */
    static Read read(String... lines) {
        return readBytes((String.join("\n", lines) + "\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    static Read readBytes(byte[] log) {
        return read(CallSource.ofLog(new ByteArrayInputStream(log), "host", "task", START));
    }

    /** Reads lines of dtruss, each of which gets a newline. */
    static Read readDtrace(String... lines) {
        return readDtraceBytes((String.join("\n", lines) + "\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    static Read readDtraceBytes(byte[] log) {
        return read(CallSource.ofDtraceLog(new ByteArrayInputStream(log), "host", "task", START));
    }

    private static Read read(CallSource calls) {
        try (CallSource source = calls) {
            List<TraceEvent> events = new ArrayList<>();
            for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
                events.add(next.get());
            }
            return new Read(events, source.unseen(), source.irregular());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
