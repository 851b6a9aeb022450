// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.CopyReport;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.upkeep.Compactor;
import io.packing.bdt.master.upkeep.CopyOrders;
import io.packing.seed.Seed;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The comparison with a model that copies bytes, while workers copy live bytes of sparse blobs. Between two operations an order goes on by a step: a
 * worker beats, makes a blob, pushes it, begins anew or is silent, and the master commits, restarts or collects.
 */
@Tag("hunt")
class WorkerCopiesModelTest extends SharedBytesModelTest {
    private static long given;
    private static long pushed;
    private static long moved;

    private final AtomicLong now = new AtomicLong();
    private final Random steps = new Random(Seed.value());
    private Optional<Table> compacted = Optional.empty();
    private CopyOrders orders = new CopyOrders(now::get);
    private Optional<Compactor> compactor = Optional.empty();
    private List<ModelCopier> copiers = List.of();

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("packing.model.rounds", 1)).map(round -> Seed.value() + round);
    }

    @Override
    @ParameterizedTest
    @MethodSource("seeds")
    void aTableThatSharesBytesLooksLikeOneThatCopiesThem(long seed) throws IOException {
        steps.setSeed(seed);
        super.aTableThatSharesBytesLooksLikeOneThatCopiesThem(seed);
    }

    @Override
    void stepped() throws IOException {
        Mount mount = master.openMount(TestStores.MOUNT);
        if (!compacted.equals(Optional.of(mount.table()))) {
            // Nothing of an order outlives the master.
            compacted = Optional.of(mount.table());
            orders = new CopyOrders(now::get);
            compactor = Optional.of(new Compactor(
                    new MountStorage("test", mount.table(), stores.objects, work),
                    mount.upkeep().uploader(),
                    new Compactor.CompactionOptions(
                            Duration.ofMinutes(10), 0.9, 1 << 20, 1, 1, TestPrices.FREE_REQUESTS),
                    orders,
                    new Clocks(Clock.systemUTC(), now::get)));
        }
        if (copiers.isEmpty()) {
            copiers = List.of(new ModelCopier("c0", stores.objects, work), new ModelCopier("c1", stores.objects, work));
        }
        for (int i = 0; i < 4; i++) {
            step();
        }
    }

    private void step() throws IOException {
        ModelCopier one = copiers.get(steps.nextInt(copiers.size()));
        boolean had = one.order().isPresent();
        switch (steps.nextInt(12)) {
            case 0, 1, 2, 3 -> {
                now.addAndGet(Duration.ofSeconds(1).toNanos());
                one.beat(orders);
                given += !had && one.order().isPresent() ? 1 : 0;
            }
            case 4, 5, 6 -> {
                boolean wasPushed = one.report().state() == CopyReport.State.PUSHED;
                one.work();
                pushed += !wasPushed && one.report().state() == CopyReport.State.PUSHED ? 1 : 0;
            }
            case 7 -> {
                if (steps.nextInt(8) == 0) {
                    one.restart();
                }
            }
            case 8 -> {
                if (steps.nextInt(20) == 0) {
                    now.addAndGet(Duration.ofSeconds(40).toNanos());
                }
            }
            default -> {
                now.addAndGet(Duration.ofSeconds(1).toNanos());
                boolean ends = one.report().state() == CopyReport.State.PUSHED;
                if (!compactor.orElseThrow().step() && steps.nextInt(6) == 0) {
                    // The next pass is due, and workers are heard of.
                    now.addAndGet(Duration.ofMinutes(10).toNanos());
                    copiers.forEach(each -> each.beat(orders));
                } else if (ends) {
                    moved++;
                }
            }
        }
    }

    @AfterAll
    static void ordersWereCarriedOut() {
        System.out.printf("WorkerCopiesModelTest: %d orders given, %d pushed, %d ended%n", given, pushed, moved);
        assertThat(given).isPositive();
    }
}
