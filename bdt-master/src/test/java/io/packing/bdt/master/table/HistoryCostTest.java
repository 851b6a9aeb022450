// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import static io.packing.bdt.master.table.RequestCosts.file;
import static io.packing.bdt.master.table.RequestCosts.make;
import static io.packing.bdt.master.table.RequestCosts.mode;
import static io.packing.bdt.master.table.RequestCosts.move;
import static io.packing.bdt.master.table.RequestCosts.path;
import static io.packing.bdt.master.table.RequestCosts.remove;
import static io.packing.bdt.master.table.RequestCosts.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.HistoryWindows;
import io.packing.bdt.Operation;
import io.packing.bdt.master.table.operation.DirectoryHistories;
import io.packing.bdt.master.table.operation.PastTrim;
import io.packing.bdt.master.table.row.Keys;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nothing that a change costs grows with the number of states of a history. */
class HistoryCostTest {
    private static final long START = Instant.parse("2026-11-30T20:00:00Z").getEpochSecond();

    /** A clock that a test moves. */
    private static final class Seconds extends Clock {
        private long now = START;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(now);
        }
    }

    /** A directory with a history, whose file changes each second. */
    private static final class Changing {
        private final RequestCosts costs = new RequestCosts();
        private final Seconds clock = new Seconds();
        private final DirectoryHistories rule;

        private Changing(String window) throws IOException {
            rule = new DirectoryHistories(
                    HistoryWindows.parse("/d=" + window), Duration.ofSeconds(1), costs.stored(), clock);
            long unused = costs.cost(
                    make(path("/d/a/b")), file(path("/d/a/f")), file(path("/d/a/b/g")), snapshot(path("/d"), "kept"));
        }

        private long second(Operation... operations) throws IOException {
            clock.now++;
            return costs.batch(rule, operations);
        }

        private void change(int seconds) throws IOException {
            for (int i = 0; i < seconds; i++) {
                long unused = second(mode(path("/d/a/f"), 0600 + i % 2));
            }
        }

        /** Returns the most rows that one step of upkeep read. */
        private long trim() throws IOException {
            long most = 0;
            while (costs.mayHaveDropped()) {
                most = Math.max(most, costs.upkeepReads(PastTrim::step));
            }
            return most;
        }
    }

    private static List<Long> reads(int seconds) throws IOException {
        Changing changing = new Changing("1h");
        changing.change(seconds);
        List<Long> reads = new ArrayList<>();
        reads.add(changing.second(mode(path("/d/a/f"), 0640)));
        reads.add(changing.second(file(path("/d/a/new"))));
        reads.add(changing.second(file(path("/d/a/b/new")), mode(path("/d/a/b/g"), 0640)));
        reads.add(changing.second(make(path("/d/a/made/below"))));
        reads.add(changing.second(file(path("/d/a/made/below/f"))));
        reads.add(changing.second(move(path("/d/a/b"), path("/d/moved"))));
        reads.add(changing.second(mode(path("/d/moved/g"), 0600)));
        reads.add(changing.second(remove(path("/d/moved"))));
        // The upkeep of the first states.
        changing.clock.now += 3_600 - seconds;
        reads.add(changing.second(mode(path("/d/a/f"), 0600)));
        reads.add(changing.trim());
        return reads;
    }

    @Test
    void aThousandTimesAsManyStatesDoNotMakeAChangeDearer() throws IOException {
        List<Long> few = reads(10);
        List<Long> many = reads(3_590);
        for (int i = 0; i < few.size(); i++) {
            assertThat(many.get(i)).as("change %d of %s, %s", i, few, many).isLessThanOrEqualTo(few.get(i) + 8);
        }
    }

    @Test
    void tenThousandStatesAreFoundByName() throws IOException {
        Changing changing = new Changing("1d");
        changing.change(10_000);
        long reads = changing.costs.upkeepReads(transaction -> transaction
                .namespace()
                .find(path("/d/.snapshot/at-2026-11-30T21:00:00Z/a/f"))
                .inode()
                .isPresent());
        assertThat(reads).isLessThan(20);
        assertThat(changing.costs.rows(Keys.SNAPSHOT)).isBetween(10_000L, 10_001L);
        assertThat(changing.costs.rows(Keys.SNAPSHOT_NAME)).isEqualTo(changing.costs.rows(Keys.SNAPSHOT));
    }

    @Test
    void aMovedDirectoryIsPinnedOnceForAllStates() throws IOException {
        Changing changing = new Changing("1d");
        changing.change(2_000);
        assertThat(changing.second(move(path("/d/a"), path("/d/c")))).isLessThan(100);
        // For the snapshot of the operator and for the states alike.
        assertThat(changing.costs.rows(Keys.PIN)).isEqualTo(1);
    }

    @Test
    void statesLeaveWithTheWindowAndTheNewestBeforeItStays() throws IOException {
        Changing changing = new Changing("100s");
        changing.change(1_000);
        long most = changing.trim();
        assertThat(most).isLessThan(3_000);
        // Those of the window, the newest one before it, that of the operator.
        assertThat(changing.costs.rows(Keys.SNAPSHOT)).isBetween(100L, 104L);
        assertThat(changing.costs.rows(Keys.PAST)).isBetween(100L, 104L);
        assertThat(changing.costs.rows(Keys.BY_POSITION)).isBetween(100L, 104L);
    }

    @Test
    void anIdleDirectoryGetsNoStates() throws IOException {
        Changing changing = new Changing("1h");
        changing.change(3);
        long unused = changing.second();
        long before = changing.costs.rows(Keys.SNAPSHOT);
        for (int i = 0; i < 100; i++) {
            unused = changing.second(make(path("/other/" + i)));
        }
        assertThat(changing.costs.rows(Keys.SNAPSHOT)).isEqualTo(before);
        changing.clock.now += 10;
        assertThat(changing.rule.isDue()).isFalse();
    }

    @Test
    void namesGoOnBehindTheNewestWhenTheClockIsSetBack() throws IOException {
        Changing changing = new Changing("1h");
        changing.change(10);
        changing.clock.now -= 1_800;
        changing.change(10);
        List<String> names = List.copyOf(changing.costs
                .transaction
                .past()
                .sight()
                .named(changing.costs
                        .transaction
                        .namespace()
                        .find(path("/d"))
                        .inode()
                        .orElseThrow()
                        .id())
                .keySet());
        List<Long> positions = new ArrayList<>();
        changing.costs
                .transaction
                .past()
                .sight()
                .named(changing.costs
                        .transaction
                        .namespace()
                        .find(path("/d"))
                        .inode()
                        .orElseThrow()
                        .id())
                .values()
                .forEach(each -> positions.add(each.name().equals("kept") ? Long.MAX_VALUE : each.position()));
        assertThat(names).hasSizeGreaterThan(18).contains("at-2026-11-30T20:00:19Z");
        assertThat(positions).isSorted();
    }
}
