// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import io.packing.durable.DurableDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

/** The log of a member on its disk, before Ratis opens it. */
public final class MemberLog {
    /** The names that Ratis gives to its segments. */
    private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");

    private static final Pattern OPEN = Pattern.compile("log_inprogress_(\\d+)");

    private MemberLog() {}

    private static Path directory(Path top, UUID group) {
        return top.resolve(group.toString()).resolve("current");
    }

    /**
     * Makes all files of a group's log stable, for Ratis takes what it finds for forced. The process before, or the server before in this
     * process, may have ended between the write and the force of its last entries. A member that acknowledged them again would lose them
     * with the power.
     *
     * @param top directory of the logs of all groups, which may not exist yet
     */
    static void force(Path top, UUID group) throws IOException {
        Path log = directory(top, group);
        if (!Files.isDirectory(log)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> files = Files.list(log)) {
            all = files.filter(Files::isRegularFile).toList();
        }
        for (Path each : all) {
            try (FileChannel file = FileChannel.open(each, StandardOpenOption.WRITE)) {
                file.force(true);
            }
        }
        for (Path each : List.of(log, top.resolve(group.toString()), top)) {
            DurableDirectory.sync(each);
        }
    }

    /** Returns the index of the last entry that can be read; -1: there is none. */
    public static long end(RatisOptions settings, UUID group) throws IOException {
        Path log = directory(settings.directory(), group);
        if (!Files.isDirectory(log)) {
            return -1;
        }
        List<Path> newestFirst;
        try (Stream<Path> files = Files.list(log)) {
            newestFirst = files.filter(each -> LogSegmentPath.matchLogSegment(each) != null)
                    .sorted(Comparator.comparingLong(MemberLog::start).reversed())
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
