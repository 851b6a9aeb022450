package io.packing.htfs;

import io.packing.htfs.record.CollapseLimits;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * How a process is traced: the {@code htfs.*} keys of its Hadoop configuration.
 *
 * @param directory of the trace files
 * @param process a name for the process in the trace
 * @param bufferEvents events that wait for the writer at most; more are dropped and counted
 * @param collapse when small sequential calls become one event
 * @param flushAfter age at which recorded events are in the file even if the process is killed
 */
record HtfsConfig(Path directory, String process, int bufferEvents, CollapseLimits collapse, Duration flushAfter) {
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
            "Age at which the next event sends those before it to the file, so that a kill does not lose them.",
            Parsers::duration);
    /** Read by {@link TracingFileSystem} itself, per scheme. */
    static final Option<String> UNDERLYING = new Option<>(
            "htfs.underlying.impl",
            "",
            "The file system that is traced; for one scheme: htfs.underlying.SCHEME.impl.",
            Parsers::text);

    static final List<Option<?>> OPTIONS = List.of(
            DIRECTORY, PROCESS, BUFFER_EVENTS, COLLAPSE_CALL, COLLAPSE_RUN, COLLAPSE_AGE, FLUSH_AFTER, UNDERLYING);

    /**
     * Reads the keys.
     *
     * @throws IllegalArgumentException naming the unknown key or malformed value and what would be valid
     */
    static HtfsConfig from(Configuration conf) {
        Map<String, String> raw = new HashMap<>();
        conf.getPropsWithPrefix(PREFIX).forEach((key, value) -> {
            // One per scheme: any name may stand there.
            if (!key.matches("underlying\\.(AbstractFileSystem\\.)?[^.]+\\.impl")) {
                raw.put(PREFIX + key, value);
            }
        });
        Options options = Options.check(raw, PREFIX, OPTIONS);
        return new HtfsConfig(
                options.get(DIRECTORY),
                options.get(PROCESS),
                options.get(BUFFER_EVENTS),
                new CollapseLimits(
                        options.get(COLLAPSE_CALL),
                        options.get(COLLAPSE_RUN),
                        options.get(COLLAPSE_AGE).toNanos()),
                options.get(FLUSH_AFTER));
    }
}
