// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;

/** The end of a member's log on its disk, before Ratis opens it. */
public final class LogEnd {
    /** The names that Ratis gives to its segments. */
    private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");

    private static final Pattern OPEN = Pattern.compile("log_inprogress_(\\d+)");

    private LogEnd() {}

    /** Returns the index of the last entry that can be read; -1: there is none. */
    public static long of(RatisOptions settings, UUID group) throws IOException {
        Path log = settings.directory().resolve(group.toString()).resolve("current");
        if (!Files.isDirectory(log)) {
            return -1;
        }
        List<Path> newestFirst;
        try (Stream<Path> files = Files.list(log)) {
            newestFirst = files.filter(each -> LogSegmentPath.matchLogSegment(each) != null)
                    .sorted(Comparator.comparingLong(LogEnd::start).reversed())
                    .toList();
        }
        for (Path segment : newestFirst) {
            long end = isOpen(segment) ? read(segment) : number(segment, CLOSED, 2);
            if (end >= 0) {
                return end;
            }
        }
        return -1;
    }

    private static boolean isOpen(Path segment) {
        return OPEN.matcher(String.valueOf(segment.getFileName())).matches();
    }

    private static long start(Path segment) {
        return number(segment, isOpen(segment) ? OPEN : CLOSED, 1);
    }

    private static long number(Path segment, Pattern form, int group) {
        Matcher matcher = form.matcher(String.valueOf(segment.getFileName()));
        if (!matcher.matches()) {
            throw new IllegalStateException("%s is no segment of a log".formatted(segment));
        }
        return Long.parseLong(matcher.group(group));
    }

    private static long read(Path file) throws IOException {
        LogSegmentPath segment = Objects.requireNonNull(LogSegmentPath.matchLogSegment(file));
        AtomicLong end = new AtomicLong(-1);
        int unused = LogSegment.readSegmentFile(
                file.toFile(),
                segment.getStartEnd(),
                SizeInBytes.valueOf(2L * RatisOptions.ENTRY_BYTES),
                RaftServerConfigKeys.Log.CorruptionPolicy.WARN_AND_RETURN,
                null,
                entry -> end.set(entry.getIndex()));
        return end.get();
    }
}
