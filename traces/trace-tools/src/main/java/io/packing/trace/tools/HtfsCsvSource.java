// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools;

import io.packing.trace.Call;
import io.packing.trace.Subject;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceOrigin;
import io.packing.trace.TraceSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A reader of the original HTFS format. It accepts lines behind a logger's prefix, too.
 *
 * <p>The format has no wall clock, so the wall clock starts at a given time. A collapsed run names neither its
 * direction nor its offset. The reader takes the direction of the call that opened the stream, and the stream's
 * position. It counts lines that are no events, and skips them. Confined to one thread.
 */
public final class HtfsCsvSource implements TraceSource {
    private static final int FIXED_FIELDS = 7;
    private static final String NULL = "null";
    private static final int PATH_FIELD = 7;

    private record StreamKey(long pid, long stream) {}

    private static final class Stream {
        private final String path;
        private final boolean output;
        private long position;

        Stream(String path, boolean output) {
            this.path = path;
            this.output = output;
        }
    }

    private final BufferedReader lines;
    private final String host;
    private final long wallNanos;
    private final Map<StreamKey, Stream> streams = new HashMap<>();
    private long skipped;

    /**
     * @param lines closed with this source
     * @param host the trace's machine
     * @param wallNanos the wall-clock time of monotonic time 0
     */
    public HtfsCsvSource(BufferedReader lines, String host, long wallNanos) {
        this.lines = lines;
        this.host = host;
        this.wallNanos = wallNanos;
    }

    /** Returns the number of lines that were no events. */
    public long skipped() {
        return skipped;
    }

    @Override
    public Optional<TraceEvent> next() throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            try {
                Optional<TraceEvent> event = parse(line.substring(line.lastIndexOf(' ') + 1));
                if (event.isPresent()) {
                    return event;
                }
            } catch (IllegalArgumentException e) {
                // The line is torn or no event; the code below counts it.
            }
            if (!line.isBlank()) {
                skipped++;
            }
        }
        return Optional.empty();
    }

    private Optional<TraceEvent> parse(String line) {
        List<String> fields = List.of(line.split(",", -1));
        if (fields.size() < FIXED_FIELDS) {
            return Optional.empty();
        }
        long pid = Long.parseLong(fields.get(0));
        long mono = Long.parseLong(fields.get(2));
        long elapsed = Math.max(0, Long.parseLong(fields.get(3)));
        int number = Integer.parseInt(fields.get(4));
        long stream = Long.parseLong(fields.get(5));
        Optional<Call> call = number == HtfsCsvCalls.COLLAPSED ? collapsed(pid, stream) : HtfsCsvCalls.call(number);
        if (call.isEmpty()) {
            return Optional.empty();
        }
        TraceEventBuilder event = new TraceEventBuilder(call.get())
                .origin(new TraceOrigin(host, pid, "htfs"))
                .at(wallNanos + mono, mono)
                .duration(elapsed);
        Optional<Long> returned = number(fields.get(6));
        if (call.get().subject() == Subject.FILE_SYSTEM) {
            onFileSystem(event, call.get(), pid, returned, fields);
        } else {
            Stream on =
                    streams.computeIfAbsent(new StreamKey(pid, stream), key -> new Stream("", isOutput(call.get())));
            event.stream(stream).path(on.path);
            if (number == HtfsCsvCalls.COLLAPSED) {
                run(event, on, fields, mono + elapsed);
            } else {
                onStream(event, call.get(), on, returned, fields);
            }
        }
        return Optional.of(event.build());
    }

    private Optional<Call> collapsed(long pid, long stream) {
        Stream on = streams.get(new StreamKey(pid, stream));
        return Optional.of(on != null && on.output ? Call.WRITE : Call.READ);
    }

    private static boolean isOutput(Call call) {
        return call.subject() == Subject.OUTPUT;
    }

    private void onFileSystem(
            TraceEventBuilder event, Call call, long pid, Optional<Long> returned, List<String> fields) {
        List<String> texts = new ArrayList<>();
        fields.stream().skip(PATH_FIELD).forEach(field -> text(field).ifPresent(texts::add));
        String path = texts.isEmpty() ? "" : texts.get(0);
        event.path(path);
        boolean opens =
                call == Call.OPEN || call == Call.CREATE || call == Call.CREATE_NON_RECURSIVE || call == Call.APPEND;
        if (opens && returned.isPresent()) {
            streams.put(new StreamKey(pid, returned.get()), new Stream(path, call != Call.OPEN));
            event.stream(returned.get());
            return;
        }
        if ((call == Call.RENAME || call == Call.HARD_LINK) && texts.size() > 1) {
            event.target(texts.get(1));
        }
        event.result(returned.orElseGet(() -> truth(fields.get(6))));
    }

    private static void run(TraceEventBuilder event, Stream on, List<String> fields, long endNanos) {
        int calls = Integer.parseInt(fields.get(7));
        long bytes = Long.parseLong(fields.get(8));
        event.range(on.position, bytes).result(bytes).collapsed(calls, endNanos);
        on.position += bytes;
    }

    private static void onStream(
            TraceEventBuilder event, Call call, Stream on, Optional<Long> returned, List<String> fields) {
        List<Long> numbers = new ArrayList<>();
        fields.stream().skip(PATH_FIELD).forEach(field -> number(field).ifPresent(numbers::add));
        long result = returned.orElse(TraceEvent.NONE);
        if (call == Call.SEEK && !numbers.isEmpty()) {
            on.position = numbers.get(0);
            event.range(on.position, TraceEvent.NONE);
        } else if ((call == Call.PREAD || call == Call.PREAD_FULLY) && !numbers.isEmpty()) {
            long asked = numbers.get(numbers.size() - 1);
            event.range(numbers.get(0), asked).result(Math.max(0, returned.orElse(asked)));
            return;
        } else if (call == Call.READ || call == Call.WRITE) {
            long asked = numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1);
            long moved = call == Call.WRITE ? asked : Math.max(0, returned.orElse(asked));
            event.range(on.position, asked).result(moved);
            on.position += moved;
            return;
        } else if (call == Call.SKIP) {
            on.position += Math.max(0, result);
        }
        event.result(Math.max(TraceEvent.NONE, result));
    }

    private static Optional<Long> number(String field) {
        if (field.isEmpty() || field.equals(NULL) || field.startsWith("#")) {
            return Optional.empty();
        }
        return Optional.of(Long.parseLong(field));
    }

    private static Optional<String> text(String field) {
        return field.startsWith("#")
                ? Optional.of(new String(Base64.getDecoder().decode(field.substring(1)), StandardCharsets.UTF_8))
                : Optional.empty();
    }

    /** Returns a boolean as a number; the original wrote it as a text. */
    private static long truth(String field) {
        return switch (text(field).orElse("")) {
            case "true" -> 1;
            case "false" -> 0;
            default -> TraceEvent.NONE;
        };
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
