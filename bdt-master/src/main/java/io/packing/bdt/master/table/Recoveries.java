package io.packing.bdt.master.table;

import io.packing.blob.FileVersion;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The recoveries from the backing store that a table went through, newest first. Each may have lost claims whose bytes a
 * worker still has; what was claimed or leased outside their spans was never lost.
 */
public record Recoveries(List<Recovered> newestFirst) {
    /** The key of their row. It starts with the newest, of which a version before wrote {@code at} only. */
    public static final byte[] KEY = Keys.named(Keys.META, "recovered");

    static final Recoveries NONE = new Recoveries(List.of());

    /** Each is a master that lost its disk; what the oldest of so many lost is not waited for any more. */
    private static final int MOST = 1_000;

    /**
     * One of them.
     *
     * @param at the position that it jumped to: what it lost was claimed before, and sessions from before it are unknown
     * @param firstId ids from this one on were leased after it
     * @param backup position of the backup that it started from, which knew all until there; 0: none
     */
    public record Recovered(long at, long firstId, long backup) {
        public Recovered {
            if (at < 0 || firstId < 0 || backup < 0 || backup > at) {
                throw new Bytes.MalformedException(
                        "recovery at %d from a backup at %d, first id %d".formatted(at, backup, firstId));
            }
        }

        /** @param floor of the session row of the worker that still has the version */
        private boolean mayHaveLost(FileVersion version, long floor) {
            boolean claimedWithin =
                    version.generation() == 0 || (version.generation() > backup && version.generation() <= at);
            // A worker that has told that it named everything had nothing else.
            return claimedWithin && version.id() < firstId && floor <= at;
        }
    }

    public Recoveries {
        newestFirst = List.copyOf(newestFirst);
    }

    /** Those of a table. */
    public static Recoveries load(Rows rows) throws IOException {
        Optional<byte[]> row = rows.get(KEY);
        if (row.isEmpty()) {
            return NONE;
        }
        Bytes.In in = new Bytes.In(row.get());
        List<Recovered> found = new ArrayList<>();
        long at = in.number();
        // The version before did not write the rest: then every id that has been leased so far may be a lost one.
        found.add(new Recovered(at, in.hasMore() ? in.number() : nextId(rows), in.hasMore() ? in.number() : 0));
        while (in.hasMore()) {
            found.add(new Recovered(in.number(), in.number(), in.number()));
        }
        return new Recoveries(found);
    }

    /** Completes a row of the version before, so that ids that are leased from now on do not count as lost. */
    static void complete(SortedStore store) throws IOException {
        Rows rows = new StoreRows(store);
        if (rows.get(KEY).isPresent()) {
            store.write(new WriteBatch().put(KEY, load(rows).encode()), SortedStore.Sync.FSYNC);
        }
    }

    public byte[] encode() {
        Bytes.Out out = new Bytes.Out();
        newestFirst.forEach(each -> out.number(each.at).number(each.firstId).number(each.backup));
        return out.toBytes();
    }

    public Recoveries with(Recovered next) {
        List<Recovered> all = new ArrayList<>(List.of(next));
        all.addAll(newestFirst.subList(0, Math.min(newestFirst.size(), MOST - 1)));
        return new Recoveries(all);
    }

    Optional<Recovered> newest() {
        return newestFirst.stream().findFirst();
    }

    /** The position that the newest jumped to; 0 when there was none. */
    public long newestAt() {
        return newestFirst.isEmpty() ? 0 : newestFirst.get(0).at;
    }

    /**
     * The first recovery that may have lost a version that the table does not have; empty: the version is over. Had the
     * version come back after it, what ended the version since then would name its id.
     */
    Optional<Recovered> thatMayHaveLost(FileVersion version, long floor) {
        return newestFirst.stream()
                .filter(each -> each.mayHaveLost(version, floor))
                .reduce((newer, older) -> older);
    }

    private static long nextId(Rows rows) throws IOException {
        return rows.get(Counters.KEY).map(Counters::decode).orElseGet(Counters::new).nextId;
    }
}
