// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.HistoryName;
import io.packing.bdt.HistoryWindows;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.change.BatchRule;
import io.packing.bdt.master.table.change.SnapshotVisibility;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.HistoryRow;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the states of directories that have a history (RFC 0031). Time is cut into intervals. Before the first batch of an interval, or when
 * it begins and no batch comes, each directory that changed in an earlier one gets a snapshot, which has the name of the second from which on
 * nothing changed. So the newest name up to a time is the state at that time. Snapshots that no time in the window needs are dropped.
 * Confined to the writer thread.
 */
public final class DirectoryHistories implements BatchRule {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryHistories.class);
    /** Snapshots that one batch drops at most. */
    private static final int MOST_DROPPED = 100;

    private final HistoryWindows windows;
    private final Rows stored;
    private final long every;
    private final Clock clock;
    private boolean started;
    /** The second of the last try, so that a failure is not repeated at once. */
    private long tried = Long.MIN_VALUE;

    private long nextExpiry = Long.MIN_VALUE;

    /**
     * Makes the rule of a mount.
     *
     * @param stored the rows that are written
     * @param every the length of an interval
     */
    public DirectoryHistories(HistoryWindows windows, Duration every, Rows stored, Clock clock) {
        this.windows = windows;
        this.stored = stored;
        this.every = every.toSeconds();
        this.clock = clock;
    }

    @Override
    public long waitMillis(long most) throws IOException {
        long now = clock.millis();
        Optional<HistoryRow> row = changed(stored);
        if (row.isEmpty() || Math.floorDiv(now, 1_000L) == tried) {
            return most;
        }
        long due = (row.get().second() + every) * 1_000;
        return Math.max(0, Math.min(most, due - now));
    }

    @Override
    public boolean isDue() throws IOException {
        long now = clock.instant().getEpochSecond();
        if (now == tried) {
            return false;
        }
        return !started
                || now >= nextExpiry
                || changed(stored).filter(row -> row.second() != interval(now)).isPresent();
    }

    private static Optional<HistoryRow> changed(Rows rows) throws IOException {
        return HistoryRow.find(rows).filter(row -> !row.changed().isEmpty());
    }

    private long interval(long second) {
        return second - Math.floorMod(second, every);
    }

    @Override
    public void before(Transaction transaction) throws IOException {
        long now = clock.instant().getEpochSecond();
        tried = now;
        Map<Long, Duration> directories = directories(transaction);
        Optional<HistoryRow> row = HistoryRow.find(transaction.rows());
        Optional<HistoryRow> due = row.filter(each -> each.second() != interval(now));
        if (due.isPresent() && !due.get().changed().isEmpty()) {
            take(transaction, due.get(), directories);
            write(transaction, interval(now), Set.of());
        }
        if (now >= nextExpiry) {
            expire(transaction, now, directories);
        }
        addUnknown(transaction, now, directories.keySet());
        started = true;
    }

    /** Returns the directories that have a history, by their ids. */
    private Map<Long, Duration> directories(Transaction transaction) throws IOException {
        Map<Long, Duration> found = new LinkedHashMap<>();
        for (Map.Entry<FilePath, Duration> each : windows.windows().entrySet()) {
            transaction
                    .toChange(each.getKey())
                    .inode()
                    .filter(Inode::isDirectory)
                    .ifPresent(inode -> found.put(inode.id(), each.getValue()));
        }
        return found;
    }

    /** Has a first state taken of each directory that has none, and a new one of each after a recovery, which may have lost changes. */
    private void addUnknown(Transaction transaction, long now, Set<Long> directories) throws IOException {
        Optional<HistoryRow> row = HistoryRow.find(transaction.rows());
        long recovered = transaction.sessions().recoveries().newestAt();
        boolean isRecovered =
                !started && row.filter(each -> each.position() < recovered).isPresent();
        Set<Long> unknown = new HashSet<>();
        for (long directory : directories) {
            if (isRecovered || newest(transaction, directory).isEmpty()) {
                unknown.add(directory);
            }
        }
        add(transaction, now, unknown);
    }

    private void add(Transaction transaction, long now, Set<Long> more) throws IOException {
        Set<Long> before =
                HistoryRow.find(transaction.rows()).map(HistoryRow::changed).orElse(Set.of());
        if (!before.containsAll(more)) {
            Set<Long> all = new HashSet<>(before);
            all.addAll(more);
            write(transaction, interval(now), all);
        }
    }

    private static void write(Transaction transaction, long second, Set<Long> changed) {
        long position = transaction.change().position();
        transaction.rows().put(HistoryRow.KEY, new HistoryRow(second, position, changed).encode());
    }

    /** Takes the states that directories had when the interval of their last changes ended. */
    private void take(Transaction transaction, HistoryRow row, Map<Long, Duration> directories) throws IOException {
        long millis = clock.millis();
        for (long directory : row.changed()) {
            Optional<FilePath> path = path(transaction, directory);
            if (path.isEmpty() || !directories.containsKey(directory)) {
                continue;
            }
            long end = row.second() + every;
            // The clock may have been set back: names go on behind the newest one, so that their order is that of the
            // states.
            Optional<Instant> newest = newest(transaction, directory);
            long second = newest.isPresent() && newest.get().getEpochSecond() >= end
                    ? newest.get().getEpochSecond() + every
                    : end;
            if (second > HistoryName.LATEST.getEpochSecond()) {
                LOG.error("{} gets no history: the clock of this master is behind the year 9999", path.get());
                continue;
            }
            nextExpiry =
                    Math.min(nextExpiry, second + directories.get(directory).toSeconds());
            String name = HistoryName.of(Instant.ofEpochSecond(second));
            Outcome outcome =
                    new SnapshotOperations(transaction).take(new Operation.TakeSnapshot(path.get(), name), millis);
            if (outcome != Outcome.DONE) {
                LOG.warn("the state {} of {} is not kept: {}", name, path.get(), outcome);
            }
        }
    }

    private static Optional<Instant> newest(Transaction transaction, long directory) throws IOException {
        for (String name : transaction.past().sight().named(directory).descendingKeySet()) {
            Optional<Instant> time = HistoryName.time(name);
            if (time.isPresent()) {
                return time;
            }
        }
        return Optional.empty();
    }

    private static Optional<FilePath> path(Transaction transaction, long directory) throws IOException {
        if (directory == Inode.ROOT_ID) {
            return Optional.of(FilePath.ROOT);
        }
        Namespace namespace = transaction.namespace();
        Optional<EntryLink> link = namespace.link(directory);
        return link.isPresent() ? namespace.pathOf(link.get()) : Optional.empty();
    }

    /** Drops the states that no second in a window needs: the newest one before the window stays. */
    private void expire(Transaction transaction, long now, Map<Long, Duration> directories) throws IOException {
        SnapshotVisibility sight = transaction.past().sight();
        int left = MOST_DROPPED;
        nextExpiry = Long.MAX_VALUE;
        for (long directory : List.copyOf(sight.named())) {
            // A directory that is not named any more, or moved, has the longest of the others' windows.
            boolean isKept = directories.containsKey(directory);
            Duration window = directories.getOrDefault(directory, windows.longest());
            Optional<FilePath> path = path(transaction, directory);
            while (path.isPresent()) {
                List<Snapshot> two = oldest(sight.named(directory));
                // The last one of a directory without a history is needed no longer than the others.
                int needed = isKept ? 1 : 0;
                if (two.size() <= needed) {
                    break;
                }
                Instant end = HistoryName.time(two.get(needed).name()).orElseThrow();
                long expiry = end.getEpochSecond() + window.toSeconds();
                if (expiry > now || left == 0) {
                    nextExpiry = Math.min(nextExpiry, expiry);
                    break;
                }
                Operation.DropSnapshot drop =
                        new Operation.DropSnapshot(path.get(), two.get(0).name());
                Outcome outcome = new SnapshotOperations(transaction).drop(drop);
                if (outcome != Outcome.DONE) {
                    LOG.warn("the state {} of {} is not dropped: {}", drop.name(), path.get(), outcome);
                    break;
                }
                left--;
            }
        }
    }

    /** Returns the two oldest states of a directory. */
    private static List<Snapshot> oldest(NavigableMap<String, Snapshot> named) {
        return named.tailMap("at-", true).values().stream()
                .takeWhile(each -> each.name().startsWith("at-"))
                .filter(Snapshot::isOfHistory)
                .limit(2)
                .toList();
    }

    @Override
    public void after(Transaction transaction) throws IOException {
        Set<Long> open = new HashSet<>(directories(transaction).keySet());
        HistoryRow.find(transaction.rows()).ifPresent(row -> open.removeAll(row.changed()));
        if (!open.isEmpty()) {
            // The time of the batch is that of its beginning: an earlier state was kept then.
            add(transaction, tried, new ChangedDirectories(transaction, stored).among(open));
        }
    }
}
