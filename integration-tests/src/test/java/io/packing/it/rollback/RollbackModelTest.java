package io.packing.it.rollback;

import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rounds of changes, after each of which directories of workers, of the master or of the store are put back to older copies, or
 * objects of the store are damaged, against a model that holds bytes itself: no wrong bytes, nothing lost in silence, nothing back in
 * silence, and counts as they have to be. Repeat a run with {@code -Dpacking.seed=N}; {@code -Dpacking.rollback.rounds=N} makes it long.
 */
class RollbackModelTest {
    private static final int ROUNDS = Integer.getInteger("packing.rollback.rounds", 14);
    private static final int ROUNDS_OF_A_MOUNT = 7;
    private static final Map<RollbackAct, Integer> PLAYED = new EnumMap<>(RollbackAct.class);

    @TempDir
    private Path temp;

    @AfterAll
    static void tell() {
        System.out.printf("RollbackModelTest: rounds %s%n", PLAYED);
    }

    @TestFactory
    List<DynamicTest> whateverDirectoryGoesBackNothingIsWrongOrLostInSilence() {
        long first = Seed.value();
        int mounts = Math.max(1, ROUNDS / ROUNDS_OF_A_MOUNT);
        return LongStream.range(first, first + mounts)
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> play(seed)))
                .toList();
    }

    private void play(long seed) throws IOException {
        Path home = temp.resolve("s" + seed);
        try (RollbackWorld world = new RollbackWorld(home, seed)) {
            try {
                boolean goesOn = true;
                for (int round = 0; goesOn && round < ROUNDS_OF_A_MOUNT; round++) {
                    RollbackAct[] acts = RollbackAct.values();
                    RollbackAct act = acts[world.random.nextInt(acts.length)];
                    goesOn = new RollbackRound(world).play(act);
                    PLAYED.merge(act, 1, Integer::sum);
                }
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "seed %d%n%s%n%s".formatted(seed, String.join("\n", world.story), e.getMessage()), e);
            }
        } finally {
            TreeCopy.delete(home);
        }
    }
}
