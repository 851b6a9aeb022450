// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.Reach;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Recovered;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.FileVersion;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The recoveries from the backing store that a table went through, and the gaps that starts after a crash left in its numbers, newest
 * first. Each recovery may have lost claims whose bytes a worker still has; what was claimed or leased outside their spans was
 * never lost. A gap has what another timeline may have given out: should the directory have been an older copy, that was lost.
 */
public record Recoveries(List<Recovered> newestFirst, List<Recovered> gaps) {
    /** The key of their row. It starts with the newest, of which a version before wrote {@code at} only. */
    public static final byte[] KEY = Keys.named(Keys.META, "recovered");

    /** The key of the row of the gaps. */
    public static final byte[] GAPS = Keys.named(Keys.META, "gaps");

    /** The key of the row with the position of the newest recovery whose lost files are not waited for any more. */
    private static final byte[] ENDED = Keys.named(Keys.META, "history");

    static final Recoveries NONE = new Recoveries(List.of(), List.of());

    /** Each is a master that lost its disk; what the oldest of so many lost is not waited for any more. */
    private static final int MOST = 1_000;

    public Recoveries {
        newestFirst = sorted(newestFirst);
        gaps = sorted(gaps);
    }

    private static List<Recovered> sorted(List<Recovered> all) {
        return all.stream()
                .sorted(Comparator.comparingLong(Recovered::at).reversed())
                .limit(MOST)
                .toList();
    }

    /** Those of a table. */
    public static Recoveries load(Rows rows) throws IOException {
        List<Recovered> gaps = rows.get(GAPS).map(Recoveries::decodeGaps).orElse(List.of());
        Optional<byte[]> row = rows.get(KEY);
        if (row.isEmpty()) {
            return new Recoveries(List.of(), gaps);
        }
        Bytes.In in = new Bytes.In(row.get());
        List<Recovered> found = new ArrayList<>();
        long at = in.number();
        // The version before did not write the rest: then every id that has been leased so far may be a lost one.
        found.add(new Recovered(at, in.hasMore() ? in.number() : nextId(rows), in.hasMore() ? in.number() : 0));
        while (in.hasMore()) {
            found.add(new Recovered(in.number(), in.number(), in.number()));
        }
        return new Recoveries(found, gaps);
    }

    private static List<Recovered> decodeGaps(byte[] row) {
        Bytes.In in = new Bytes.In(row);
        List<Recovered> gaps = new ArrayList<>();
        while (in.hasMore()) {
            gaps.add(new Recovered(in.number(), in.number(), in.number(), in.number()));
        }
        return gaps;
    }

    /** Returns these with one of the two rows written anew. */
    Recoveries changed(byte[] key, byte[] row) {
        if (Arrays.equals(key, GAPS)) {
            return new Recoveries(newestFirst, decodeGaps(row));
        }
        Bytes.In in = new Bytes.In(row);
        List<Recovered> found = new ArrayList<>();
        while (in.hasMore()) {
            found.add(new Recovered(in.number(), in.number(), in.number()));
        }
        return new Recoveries(found, gaps);
    }

    /** Returns the position up to which recoveries are over: none of their lost files is waited for any more; 0: none is over. */
    public static long endedAt(Rows rows) throws IOException {
        return rows.get(ENDED).map(row -> new Bytes.In(row).number()).orElse(0L);
    }

    /** Ends recoveries up to a position. */
    public static void end(WriteSet rows, long recoveredAt) {
        rows.put(ENDED, new Bytes.Out().number(recoveredAt).toBytes());
    }

    /** Completes a row of the version before, so that ids that are leased from now on do not count as lost. */
    public static void complete(SortedStore store) throws IOException {
        Rows rows = new StoreRows(store);
        if (rows.get(KEY).isPresent()) {
            store.write(new WriteBatch().put(KEY, load(rows).encode()), SortedStore.Sync.FSYNC);
        }
    }

    public byte[] encode() {
        Bytes.Out out = new Bytes.Out();
        newestFirst.forEach(each -> out.number(each.at()).number(each.firstId()).number(each.backup()));
        return out.toBytes();
    }

    public byte[] encodeGaps() {
        Bytes.Out out = new Bytes.Out();
        gaps.forEach(each -> out.number(each.at())
                .number(each.firstId())
                .number(each.backup())
                .number(each.fromId()));
        return out.toBytes();
    }

    public Recoveries with(Recovered next) {
        return new Recoveries(added(newestFirst, next), gaps);
    }

    /** Returns these and a gap. */
    public Recoveries withGap(Recovered gap) {
        return new Recoveries(newestFirst, added(gaps, gap));
    }

    /** Returns these with a recovery in the place of a gap: the table was an older copy when it left the gap. */
    public Recoveries proven(Recovered gap) {
        return new Recoveries(
                added(newestFirst, new Recovered(gap.at(), gap.firstId(), gap.backup())),
                gaps.stream().filter(each -> !each.equals(gap)).toList());
    }

    private static List<Recovered> added(List<Recovered> before, Recovered next) {
        return Stream.concat(Stream.of(next), before.stream()).toList();
    }

    /** Returns the positions that the table has given out, for programs of operators. */
    public Reach reach(long position) {
        return new Reach(
                position,
                gaps.stream().map(gap -> new Reach.Gap(gap.backup(), gap.at())).toList());
    }

    /** The gap that a position is in. */
    public Optional<Recovered> gapAt(long position) {
        return gaps.stream().filter(gap -> gap.skips(position)).findFirst();
    }

    Optional<Recovered> newest() {
        return newestFirst.stream().findFirst();
    }

    /** The position that the newest jumped to; 0 when there was none. */
    public long newestAt() {
        return newestFirst.isEmpty() ? 0 : newestFirst.get(0).at();
    }

    /** The position from which on files may come back that the table does not know; 0: none may. */
    public long lossesSince() {
        return Math.max(newestAt(), gaps.isEmpty() ? 0 : gaps.get(0).at());
    }

    /** Returns the generations of files whose claims have no known position: the positions of a table's recoveries and of the ends of its gaps. */
    public static List<Long> undated(Rows rows) throws IOException {
        return load(rows).losses().map(Recovered::at).toList();
    }

    /** Returns whether a generation is the position of a recovery or of the end of a gap, and not that of a claim. */
    public boolean isEndOfLoss(long generation) {
        return losses().anyMatch(each -> each.at() == generation);
    }

    private Stream<Recovered> losses() {
        return Stream.concat(newestFirst.stream(), gaps.stream());
    }

    /**
     * The first recovery that may have lost a version that the table does not have; empty: the version is over. Had the
     * version come back after it, what ended the version since then would name its id.
     */
    public Optional<Recovered> thatMayHaveLost(FileVersion version, long floor) {
        return losses().filter(each -> each.mayHaveLost(version, floor)).min(Comparator.comparingLong(Recovered::at));
    }

    private static long nextId(Rows rows) throws IOException {
        return rows.get(Counters.KEY).map(Counters::decode).orElseGet(Counters::new).nextId;
    }
}
