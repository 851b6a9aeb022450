// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.TreeStore;
import io.packing.bdt.master.table.row.Reached;
import io.packing.seed.Seed;
import io.packing.sorted.SortedStore;
import io.packing.store.Fault;
import io.packing.store.FaultyObjectStore;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.RequestKind;
import io.packing.store.StoreAddress;
import io.packing.store.StoreLocation;
import io.packing.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A master whose store answers late, or never, takes its own mount again. The table on its disk stays the newest one, whatever happened to
 * the epochs that it made: a table that is set aside loses the changes that no journal has yet.
 */
class UnansweredEpochsTest {
    private static final String MOUNT = "m";
    private static final StoreAddress ADDRESS = new StoreAddress(new StoreLocation.Directory(Path.of("/test")), "");
    private static final int OPENINGS = 60;

    private final Random random = Seed.random();
    private final FaultyObjectStore objects =
            new FaultyObjectStore(new InMemoryObjectStore(), random, FaultyObjectStore.Rates.NONE);
    private final Disk disk = new Disk();
    private final String instance = new UUID(random.nextLong(), random.nextLong()).toString();

    /** The folder of the mount. */
    private static final class Disk implements TakeOvers.LocalTable {
        private Optional<ReadyMount> ready = Optional.empty();

        @Override
        public Optional<ReadyMount> ready() {
            return ready;
        }

        @Override
        public Path folder() {
            return Path.of("/folder");
        }

        @Override
        public SortedStore open() {
            return new TreeStore();
        }

        @Override
        public void mark(ReadyMount now) {
            ready = Optional.of(now);
        }
    }

    /** Starts a master on the directory; the processes before it have ended. */
    private TakeOvers started(boolean shared) {
        String start = new UUID(random.nextLong(), random.nextLong()).toString();
        return new TakeOvers(
                new TakeOvers.Owner(instance, shared, start, run -> true),
                LeaseOptions.USUAL,
                () -> "address",
                new Clocks(Clock.systemUTC(), System::nanoTime));
    }

    private TakeOvers.Held hold(TakeOvers master) throws IOException {
        return master.hold(MOUNT, ADDRESS, objects, disk);
    }

    /** Opens the mount, which is recovered if its table is not the newest. */
    private TakeOvers.Held open(TakeOvers master) throws IOException {
        TakeOvers.Held held = hold(master);
        disk.mark(held.ready());
        return held;
    }

    private static boolean opens(Attempt attempt) throws IOException {
        try {
            attempt.run();
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    private interface Attempt {
        void run() throws IOException;
    }

    /** The second epoch was made, its answer was lost, and the third one failed: the newest run is none that the folder named last. */
    @ParameterizedTest
    @CsvSource({"AFTER, BEFORE, false", "AFTER, AFTER, false", "BEFORE, AFTER, false", "AFTER, BEFORE, true"})
    void aTableStaysTheNewestAfterTwoOpeningsWithoutAnAnswer(Fault first, Fault second, boolean shared)
            throws IOException {
        TakeOvers master = started(shared);
        TakeOvers.Held unused = open(master);
        for (Fault fault : List.of(first, second)) {
            objects.failNext(RequestKind.PUT, fault, 1);
            assertThat(opens(() -> {
                        TakeOvers.Held unusedToo = hold(master);
                    }))
                    .isFalse();
        }
        assertThat(open(master).local()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTableStaysTheNewestThroughAnyFaultsOfItsOwnOpenings(boolean shared) throws IOException {
        TakeOvers.Held unused = open(started(shared));
        TakeOvers master = started(shared);
        Map<Integer, Fault> fates = Map.of(0, Fault.BEFORE, 1, Fault.AFTER);
        for (int i = 0; i < OPENINGS; i++) {
            if (random.nextInt(4) == 0) {
                master = started(shared);
            }
            objects.failNoMore();
            Optional.ofNullable(fates.get(random.nextInt(3)))
                    .ifPresent(fault -> objects.failNext(RequestKind.PUT, fault, 1));
            TakeOvers at = master;
            boolean marks = random.nextBoolean();
            boolean unusedOpened = opens(() -> {
                TakeOvers.Held held = hold(at);
                assertThat(held.local()).isTrue();
                if (marks) {
                    // Otherwise the master ends before it writes down that the epoch is its own.
                    disk.mark(held.ready());
                }
            });
        }
    }

    private static boolean fails(Attempt attempt) throws IOException {
        return !opens(attempt);
    }

    /** The master before left in order, and the next one lost its disk and an answer. An operator is not to look for undone renames. */
    @ParameterizedTest
    @EnumSource(names = {"BEFORE", "AFTER"})
    void anEpochThatNeverServedIsNoMasterThatMayHaveHadMore(Fault fault) throws IOException {
        Reached reached = new Reached(12, 34, 56);
        TakeOvers master = started(false);
        open(master).lease().release(Optional.of(reached));
        disk.ready = Optional.empty();
        objects.failNext(RequestKind.PUT, fault, 1);
        assertThat(fails(() -> {
                    TakeOvers.Held unused = hold(master);
                }))
                .isTrue();
        TakeOvers.Held held = open(master);
        assertThat(held.left()).contains(reached);
        assertThat(held.mayHaveMore()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"BEFORE", "AFTER"})
    void aMasterThatDidNotLeaveMayHaveHadMore(Fault fault) throws IOException {
        TakeOvers master = started(false);
        TakeOvers.Held unused = open(master);
        disk.ready = Optional.empty();
        objects.failNext(RequestKind.PUT, fault, 1);
        assertThat(fails(() -> {
                    TakeOvers.Held unusedToo = hold(master);
                }))
                .isTrue();
        assertThat(open(master).mayHaveMore()).isTrue();
        // This one had the table, and says nothing either.
        disk.ready = Optional.empty();
        assertThat(open(master).mayHaveMore()).isTrue();
    }
}
