// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.htfs.record.CollapseLimits;
import io.packing.htfs.record.Drain;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import io.packing.trace.Call;
import io.packing.trace.RotatingTraceWriter;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFilter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * The tracing of a process: the {@code htfs.*} keys of its Hadoop configuration.
 *
 * @param process a name for the process in the trace
 * @param bufferEvents limit of events that wait for the writer; further ones are dropped and counted
 * @param collapse limits by which small sequential calls become one event
 * @param drain filter and delays of the writer
 * @param files place of the trace, and limits of its files
 */
record HtfsOptions(
        String process,
        int bufferEvents,
        CollapseLimits collapse,
        Drain.DrainOptions drain,
        RotatingTraceWriter.RotationOptions files) {
    private static final String PREFIX = "htfs.";

    static final Option<Path> DIRECTORY = new Option<>(
            "htfs.dir",
            System.getProperty("java.io.tmpdir") + "/htfs",
            "Local directory of the trace files; created when it is not there.",
            Path::of);
    static final Option<String> PROCESS =
            new Option<>("htfs.process", "", "A name for the process in the trace.", Parsers::text);
    static final Option<Integer> BUFFER_EVENTS = new Option<>(
            "htfs.buffer.events",
            "65536",
            "Events that wait for the writer at most; more are dropped and counted.",
            Parsers.count(16, 1 << 24));
    static final Option<Long> COLLAPSE_CALL = new Option<>(
            "htfs.collapse.call.bytes",
            "4096",
            "The largest sequential read or write that is collapsed with its neighbours; 0: none is.",
            Parsers.bytesBetween(0, 1L << 30));
    static final Option<Long> COLLAPSE_RUN = new Option<>(
            "htfs.collapse.run.bytes",
            "64KB",
            "Bytes at which a collapsed run ends.",
            Parsers.bytesBetween(0, 1L << 40));
    static final Option<Duration> COLLAPSE_AGE =
            new Option<>("htfs.collapse.age", "1s", "Age at which a collapsed run ends.", Parsers::duration);
    static final Option<Duration> FLUSH_AFTER = new Option<>(
            "htfs.flush.after",
            "5s",
            "Age at which the next event sends the events before it to the file, so that a kill does not lose them.",
            Parsers::duration);
    static final Option<Long> ROTATE_BYTES = new Option<>(
            "htfs.rotate.bytes",
            "256MB",
            "Size at which a trace file ends and the next one begins.",
            Parsers.bytesBetween(1, 1L << 40));
    static final Option<Duration> ROTATE_AGE = new Option<>(
            "htfs.rotate.age", "1h", "Age at which a trace file ends and the next one begins.", Parsers::duration);
    static final Option<Duration> TICK = new Option<>(
            "htfs.tick",
            "10us",
            "Resolution of times and durations, 1us to 1s; finer times take more bytes.",
            HtfsOptions::tick);
    static final Option<Set<Call>> FILTER_CALLS = new Option<>(
            "htfs.filter.calls",
            "",
            "Calls that are traced, separated by commas, as `packing trace cat` prints them; empty: all.",
            HtfsOptions::calls);
    static final Option<List<String>> FILTER_UNDER = new Option<>(
            "htfs.filter.under",
            "",
            "Directories or files with traced calls, separated by commas; empty: all. Calls without a path are traced.",
            HtfsOptions::list);
    static final Option<List<String>> FILTER_NOT_UNDER = new Option<>(
            "htfs.filter.not-under",
            "",
            "Directories or files whose calls are not traced, separated by commas, although `htfs.filter.under` says so.",
            HtfsOptions::list);
    static final Option<Double> SAMPLE = new Option<>(
            "htfs.sample",
            "1",
            "Share of the paths that are traced, each with all its calls and the same in every process: above 0, to 1.",
            HtfsOptions::share);
    /** The option that {@link TracingFileSystem} itself reads, for each scheme. */
    static final Option<String> UNDERLYING = new Option<>(
            "htfs.underlying.impl",
            "",
            "The file system that is traced; for one scheme: htfs.underlying.SCHEME.impl.",
            Parsers::text);

    static final List<Option<?>> OPTIONS = List.of(
            DIRECTORY,
            PROCESS,
            BUFFER_EVENTS,
            COLLAPSE_CALL,
            COLLAPSE_RUN,
            COLLAPSE_AGE,
            FLUSH_AFTER,
            ROTATE_BYTES,
            ROTATE_AGE,
            TICK,
            FILTER_CALLS,
            FILTER_UNDER,
            FILTER_NOT_UNDER,
            SAMPLE,
            UNDERLYING);

    /**
     * Reads the keys.
     *
     * @throws IllegalArgumentException naming the unknown key or malformed value, and a valid one
     */
    static HtfsOptions from(Configuration conf) {
        Map<String, String> raw = new HashMap<>();
        conf.getPropsWithPrefix(PREFIX).forEach((key, value) -> {
            // The key has any scheme as a part.
            if (!key.matches("underlying\\.(AbstractFileSystem\\.)?[^.]+\\.impl")) {
                raw.put(PREFIX + key, value);
            }
        });
        Options options = Options.check(raw, PREFIX, OPTIONS);
        CollapseLimits collapse = new CollapseLimits(
                options.get(COLLAPSE_CALL),
                options.get(COLLAPSE_RUN),
                options.get(COLLAPSE_AGE).toNanos());
        TraceFilter filter = new TraceFilter(
                options.get(FILTER_CALLS),
                options.get(FILTER_UNDER),
                options.get(FILTER_NOT_UNDER),
                options.get(SAMPLE));
        return new HtfsOptions(
                options.get(PROCESS),
                options.get(BUFFER_EVENTS),
                collapse,
                new Drain.DrainOptions(
                        filter, collapse.ageNanos(), options.get(FLUSH_AFTER).toNanos()),
                new RotatingTraceWriter.RotationOptions(
                        options.get(DIRECTORY),
                        options.get(ROTATE_BYTES),
                        options.get(ROTATE_AGE),
                        new TraceFileWriter.FileOptions(
                                Math.toIntExact(options.get(TICK).toNanos()),
                                TraceFileWriter.FileOptions.DEFAULT.compression())));
    }

    private static Duration tick(String text) {
        Duration tick = Parsers.duration(text);
        if (tick.isZero() || tick.compareTo(Duration.ofSeconds(1)) > 0) {
            throw new IllegalArgumentException("expected 1us to 1s");
        }
        return tick;
    }

    private static List<String> list(String text) {
        return Stream.of(text.split(",", -1))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    private static Set<Call> calls(String text) {
        return list(text).stream()
                .map(label -> Call.ofLabel(label)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "no call is named '%s'; names are such as open, pread, write".formatted(label))))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Double share(String text) {
        try {
            double share = Double.parseDouble(text);
            if (share > 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException e) {
            // The message below names the range.
        }
        throw new IllegalArgumentException("expected a number above 0, to 1");
    }
}
