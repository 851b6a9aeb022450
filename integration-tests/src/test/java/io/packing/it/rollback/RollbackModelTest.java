// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A test that plays rounds of changes against a model with bytes. Each round has a rollback of directories to older
 * copies, or damage in the store. No bytes may be wrong, no file may be lost or return silently, and counts must be
 * right. A build plays equal rounds each time; {@code -Dpacking.seed=N} plays others, and
 * {@code -Dpacking.rollback.rounds=N} plays that many.
 */
@Tag("hunt")
class RollbackModelTest {
    private static final long SEED = Long.getLong("packing.seed", 1);
    private static final int ROUNDS = Integer.getInteger("packing.rollback.rounds", 14);
    private static final int ROUNDS_OF_A_MOUNT = 7;
    /** The distance between the mounts of one seed: greater than the seeds of a run. */
    private static final long NEXT_MOUNT = 1_000_000_007;

    private static final Map<RollbackAct, Integer> PLAYED =
            Collections.synchronizedMap(new EnumMap<>(RollbackAct.class));

    @TempDir
    private Path temp;

    @AfterAll
    static void tell() {
        System.out.printf("RollbackModelTest: rounds %s%n", PLAYED);
    }

    /** Seeds are played one after the other, but by JUnit's properties for parallel execution. */
    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    List<DynamicTest> whateverDirectoryGoesBackNothingIsWrongOrLostInSilence() {
        int seeds = (ROUNDS + ROUNDS_OF_A_MOUNT - 1) / ROUNDS_OF_A_MOUNT;
        return LongStream.range(SEED, SEED + seeds)
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> play(seed)))
                .toList();
    }

    /** Plays the rounds of a seed; goes on with another mount if one is finished early. */
    private void play(long seed) throws IOException {
        int played = 0;
        for (long mount = seed; played < ROUNDS_OF_A_MOUNT; mount += NEXT_MOUNT) {
            played += play(seed, mount, ROUNDS_OF_A_MOUNT - played);
        }
        System.out.printf("RollbackModelTest: seed %d, %d rounds%n", seed, played);
    }

    /** Plays rounds on one mount; returns their number. */
    private int play(long seed, long mount, int most) throws IOException {
        Path home = temp.resolve("s" + mount);
        try (RollbackWorld world = new RollbackWorld(home, mount)) {
            try {
                int played = 0;
                boolean goesOn = true;
                while (goesOn && played < most) {
                    RollbackAct[] acts = RollbackAct.values();
                    RollbackAct act = acts[world.random.nextInt(acts.length)];
                    RollbackRound round = new RollbackRound(world);
                    goesOn = round.play(act);
                    if (round.isVoid()) {
                        System.out.printf("RollbackModelTest: seed %d, a void round: %s%n", seed, world.lastOfStory());
                        return played;
                    }
                    PLAYED.merge(act, 1, Integer::sum);
                    played++;
                }
                return played;
            } catch (IOException | RuntimeException | AssertionError e) {
                String told = "seed %d%n%s%n%s".formatted(seed, String.join("\n", world.story), e.getMessage());
                // At once: a run of many seeds takes long.
                System.out.println(told);
                throw new AssertionError(told, e);
            }
        } finally {
            TreeCopy.delete(home);
        }
    }
}
