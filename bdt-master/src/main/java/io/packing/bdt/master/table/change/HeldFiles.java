// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.bdt.master.table.row.WriteSet;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbers of files and contents that are in no blob, by the worker and the session that claimed them. A claim becomes lost
 * without a change of its own row, when its worker has reclaimed what it has; so the counts by session tell at once how many a
 * worker came back without. A worker's counts are in one row. Confined to the writer thread.
 */
public final class HeldFiles {
    private static final Logger LOG = LoggerFactory.getLogger(HeldFiles.class);
    private static final String ROW = "held ";
    /** Claims by files that no worker has come back with since a recovery. No worker has this id. */
    private static final String NO_WORKER = "";
    /** Stands for the session of lost files that an operator has set aside: no session has this epoch. */
    public static final long ASIDE = 0;
    /** Stands for the session of files that no worker has come back with. */
    private static final long MISSING = 1;

    /** A number of files, and their bytes. */
    public record Count(long files, long bytes) {
        static final Count NONE = new Count(0, 0);

        Count plus(Count other) {
            return new Count(files + other.files, bytes + other.bytes);
        }

        Count minus(Count other) {
            return new Count(files - other.files, bytes - other.bytes);
        }

        boolean isNone() {
            return files == 0 && bytes == 0;
        }
    }

    /**
     * Claims of one worker.
     *
     * @param floor claims of sessions before this session epoch are lost
     */
    private record Worker(long floor, Map<Long, Count> sessions) {
        static final Worker NONE = new Worker(0, Map.of());

        Worker with(long epoch, Count change) {
            Map<Long, Count> changed = new TreeMap<>(sessions);
            Count now = changed.getOrDefault(epoch, Count.NONE).plus(change);
            if (now.isNone()) {
                changed.remove(epoch);
            } else {
                changed.put(epoch, now);
            }
            return new Worker(floor, changed);
        }

        Worker at(long otherFloor) {
            return new Worker(otherFloor, sessions);
        }

        Count lost() {
            Count lost = Count.NONE;
            for (Map.Entry<Long, Count> each : sessions.entrySet()) {
                if (each.getKey() != ASIDE && each.getKey() < floor) {
                    lost = lost.plus(each.getValue());
                }
            }
            return lost;
        }

        byte[] encode() {
            Bytes.Out out = new Bytes.Out();
            sessions.forEach(
                    (epoch, count) -> out.number(epoch).signed(count.files).signed(count.bytes));
            return out.toBytes();
        }

        static Worker decode(long floor, byte[] row) {
            Map<Long, Count> sessions = new TreeMap<>();
            for (Bytes.In in = new Bytes.In(row); in.hasMore(); ) {
                sessions.put(in.number(), new Count(in.signed(), in.signed()));
            }
            return new Worker(floor, sessions);
        }
    }

    private final Map<String, Worker> workers = new HashMap<>();
    /** Workers that the mutation under way changed, as they were before. */
    private final Map<String, Worker> beforeMutation = new HashMap<>();
    /** Workers that the batch changed, as they were before. */
    private final Map<String, Worker> beforeGroup = new HashMap<>();
    /** Workers whose rows are of an older version, or that it wrote none of, until a batch has written them. */
    private final Set<String> unwritten = new HashSet<>();

    private boolean wrote;

    private Count lost = Count.NONE;
    private Count aside = Count.NONE;

    HeldFiles() {}

    /**
     * Reads the counts of a table; one of an older version is counted once.
     *
     * @param areCounted whether the rows count
     * @param sessions the latest of each worker
     */
    static HeldFiles load(Rows rows, boolean areCounted, Collection<SessionRow> sessions) throws IOException {
        HeldFiles held = new HeldFiles();
        sessions.forEach(session -> held.set(session.worker(), Worker.NONE.at(session.floor())));
        rows.scan(Keys.named(Keys.META, ROW), Keys.named(Keys.META, "held!"), (key, row) -> {
            String worker = Keys.name(key).substring(ROW.length());
            if (areCounted) {
                held.set(worker, Worker.decode(held.worker(worker).floor, row));
            } else {
                held.unwritten.add(worker);
            }
            return true;
        });
        if (!areCounted) {
            held.countAll(rows);
        }
        return held;
    }

    private Worker worker(String worker) {
        return workers.getOrDefault(worker, Worker.NONE);
    }

    private void countAll(Rows rows) throws IOException {
        rows.scan(Keys.kind(Keys.ENTRY), Keys.kindEnd(Keys.ENTRY), (key, row) -> {
            if (!Keys.isFence(key) && Inode.isHeld(row)) {
                Inode inode = Inode.decode(row);
                count(inode.place(), inode.attributes().length(), 1);
            }
            return true;
        });
        rows.scan(Keys.kind(Keys.CONTENT), Keys.kindEnd(Keys.CONTENT), (key, row) -> {
            if (!Keys.isFence(key)) {
                Content content = Content.decode(Keys.number(key), row);
                count(content.place(), content.length(), 1);
            }
            return true;
        });
        unwritten.addAll(workers.keySet());
        beforeMutation.clear();
        LOG.info(
                "counted the files that {} workers hold, since the version before did not: {} are lost",
                workers.size(),
                lost.files);
    }

    /** Counts a file, or a content, that comes to a place (1) or leaves it (-1). */
    void count(Inode.Place place, long length, int sign) {
        if (place instanceof Inode.Buffered buffered) {
            change(buffered.worker(), buffered.sessionEpoch(), new Count(sign, sign * length));
        } else if (place instanceof Inode.Missing missing) {
            change(NO_WORKER, missing.setAside() ? ASIDE : MISSING, new Count(sign, sign * length));
        }
    }

    private void change(String worker, long epoch, Count by) {
        Worker before = worker(worker);
        beforeMutation.putIfAbsent(worker, before);
        set(worker, before.with(epoch, by));
    }

    /**
     * Learns that claims of a worker's sessions before a session epoch are lost.
     *
     * @return how many became lost by that
     */
    public Count floor(String worker, long floor) {
        Worker before = worker(worker);
        if (before.floor == floor) {
            return Count.NONE;
        }
        beforeMutation.putIfAbsent(worker, before);
        Worker after = before.at(floor);
        set(worker, after);
        return after.lost().minus(before.lost());
    }

    private void set(String worker, Worker now) {
        Worker before = workers.put(worker, now);
        if (before != null) {
            lost = lost.minus(before.lost());
            aside = aside.minus(before.sessions.getOrDefault(ASIDE, Count.NONE));
        }
        lost = lost.plus(now.lost());
        aside = aside.plus(now.sessions.getOrDefault(ASIDE, Count.NONE));
    }

    /** Returns the files whose workers came back without them; none that an operator has set aside. */
    Count lost() {
        return lost;
    }

    /** Returns the files that no worker has come back with since a recovery; none that an operator has set aside. */
    Count missing() {
        return worker(NO_WORKER).sessions.getOrDefault(MISSING, Count.NONE);
    }

    /** Returns the number of claimed files that wait for no push, since they are lost; those that are set aside among them. */
    long notWaiting() {
        // A missing file does not count as buffered anyway.
        Count missingAside = worker(NO_WORKER).sessions.getOrDefault(ASIDE, Count.NONE);
        return lost.files + aside.files - missingAside.files;
    }

    /** Returns the counts of all workers that have some, in the order of their names. */
    @Override
    public String toString() {
        Map<String, Worker> some = new TreeMap<>(workers);
        some.values().removeIf(worker -> worker.sessions.isEmpty());
        return some.toString();
    }

    /** Keeps what the mutation counted, and writes its rows. */
    void accept(WriteSet rows) {
        beforeMutation.forEach((worker, before) -> {
            beforeGroup.putIfAbsent(worker, before);
            write(rows, worker);
        });
        beforeMutation.clear();
        unwritten.forEach(worker -> write(rows, worker));
        wrote = true;
    }

    private void write(WriteSet rows, String worker) {
        byte[] key = Keys.named(Keys.META, ROW + worker);
        Optional<Worker> now = Optional.ofNullable(workers.get(worker)).filter(of -> !of.sessions.isEmpty());
        now.ifPresentOrElse(of -> rows.put(key, of.encode()), () -> rows.delete(key));
    }

    /** Takes back what the mutation under way counted. */
    void reject() {
        beforeMutation.forEach(this::set);
        beforeMutation.clear();
    }

    /** The batch is on disk. */
    void written() {
        beforeGroup.clear();
        if (wrote) {
            unwritten.clear();
        }
        wrote = false;
    }

    /** Takes back what all mutations of the batch counted. */
    void abandon() {
        reject();
        beforeGroup.forEach(this::set);
        beforeGroup.clear();
        wrote = false;
    }
}
