package io.packing.chaos.masters;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.linear.BruteForce;
import io.packing.chaos.linear.Finding;
import io.packing.chaos.linear.Linearizability;
import io.packing.chaos.linear.Timed;
import io.packing.chaos.masters.Deed.Told;
import io.packing.seed.Seed;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NamespaceModelTest {
    private static final int SMALL = 2_000;
    private static final int LONG = 100_000;
    private static final long MANY = 3_000_000;

    private static Timed<Deed> at(long call, long end, Deed deed) {
        return new Timed<>(deed, call, end);
    }

    private static Timed<Deed> open(long call, Deed deed) {
        return new Timed<>(deed, call, Timed.NEVER);
    }

    private static Deed look(String name, long... version) {
        return new Deed.Look(name, version.length == 0 ? OptionalLong.empty() : OptionalLong.of(version[0]));
    }

    @SafeVarargs
    private static boolean isLinearizable(Timed<Deed>... history) {
        boolean is = Linearizability.check(new NamespaceModel(), List.of(history), MANY)
                .isLinearizable();
        assertThat(BruteForce.isLinearizable(new NamespaceModel(), List.of(history)))
                .isEqualTo(is);
        return is;
    }

    @Test
    void aFileThatWasCreatedIsThereUntilItIsDeleted() {
        Timed<Deed> create = at(0, 1, new Deed.Create("a", 1, false, Told.DONE));
        assertThat(isLinearizable(create, at(2, 3, look("a", 1)))).isTrue();
        assertThat(isLinearizable(create, at(2, 3, look("a")))).isFalse();
        assertThat(isLinearizable(create, at(2, 3, new Deed.Delete("a", Told.DONE)), at(4, 5, look("a", 1))))
                .isFalse();
    }

    @Test
    void ofTwoExclusiveCreatesOneIsRefused() {
        Timed<Deed> first = at(0, 9, new Deed.Create("a", 1, false, Told.DONE));
        assertThat(isLinearizable(first, at(1, 8, new Deed.Create("a", 2, false, Told.REFUSED))))
                .isTrue();
        assertThat(isLinearizable(first, at(1, 8, new Deed.Create("a", 2, false, Told.DONE))))
                .isFalse();
        assertThat(isLinearizable(at(0, 9, new Deed.Create("a", 1, false, Told.REFUSED))))
                .isFalse();
    }

    @Test
    void aRenameTakesTheVersionAlong() {
        Timed<Deed> a = at(0, 1, new Deed.Create("a", 1, false, Told.DONE));
        Timed<Deed> b = at(2, 3, new Deed.Create("b", 2, false, Told.DONE));
        Timed<Deed> over = at(4, 5, new Deed.Move("a", "b", true, Told.DONE));
        assertThat(isLinearizable(a, b, over, at(6, 7, new Deed.Names(Map.of("b", 1L)))))
                .isTrue();
        assertThat(isLinearizable(a, b, over, at(6, 7, look("b", 2)))).isFalse();
        assertThat(isLinearizable(a, b, over, at(6, 7, look("a", 1)))).isFalse();
        assertThat(isLinearizable(a, b, at(4, 5, new Deed.Move("a", "b", false, Told.DONE))))
                .isFalse();
    }

    @Test
    void aRenameIsSeenWholeByAListing() {
        Timed<Deed> create = at(0, 1, new Deed.Create("a", 1, false, Told.DONE));
        Timed<Deed> move = at(2, 9, new Deed.Move("a", "b", false, Told.DONE));
        assertThat(isLinearizable(create, move, at(3, 4, new Deed.Names(Map.of("a", 1L)))))
                .isTrue();
        assertThat(isLinearizable(create, move, at(3, 4, new Deed.Names(Map.of("a", 1L, "b", 1L)))))
                .isFalse();
        assertThat(isLinearizable(create, move, at(3, 4, new Deed.Names(Map.of()))))
                .isFalse();
    }

    @Test
    void whatNobodyHeardOfHappensAtMostOnce() {
        Timed<Deed> create = at(0, 1, new Deed.Create("a", 1, false, Told.DONE));
        Timed<Deed> delete = open(2, new Deed.Delete("a", Told.NOTHING));
        Timed<Deed> again = at(5, 6, new Deed.Create("a", 2, false, Told.DONE));
        assertThat(isLinearizable(create, delete, at(3, 4, look("a")), again, at(7, 8, look("a", 2))))
                .isTrue();
        assertThat(isLinearizable(create, delete, at(3, 4, look("a")), again, at(7, 8, look("a"))))
                .isFalse();
    }

    @Test
    void theCheckerAgreesWithTheTrialOfEveryOrder() {
        Random random = Seed.random();
        int possible = 0;
        for (int i = 0; i < SMALL; i++) {
            RandomHistories histories = new RandomHistories(random, 15);
            List<Timed<Deed>> history = histories.linearizable(1 + random.nextInt(4), 3 + random.nextInt(5));
            assertThat(Linearizability.check(new NamespaceModel(), history, MANY)
                            .isLinearizable())
                    .as("%s", history)
                    .isTrue();
            List<Timed<Deed>> damaged = histories.damaged(history);
            boolean is = BruteForce.isLinearizable(new NamespaceModel(), damaged);
            assertThat(Linearizability.check(new NamespaceModel(), damaged, MANY)
                            .isLinearizable())
                    .as("%s", damaged)
                    .isEqualTo(is);
            possible += is ? 1 : 0;
        }
        assertThat(possible).isBetween(SMALL / 10, SMALL * 9 / 10);
    }

    @Test
    void aHundredThousandOperationsOfEightClientsTakeAFewConfigurationsEach() {
        List<Timed<Deed>> history = new RandomHistories(Seed.random(), 0).linearizable(8, LONG);
        Finding<Deed> finding = Linearizability.check(new NamespaceModel(), history, MANY);
        assertThat(finding.isLinearizable()).isTrue();
        assertThat(finding.configurations()).isLessThan(20L * LONG);
    }

    @Test
    void damageLateInALongHistoryIsFound() {
        List<Timed<Deed>> history = new RandomHistories(Seed.random(), 0).linearizable(8, LONG);
        long end = history.stream().mapToLong(Timed::end).max().orElseThrow();
        history.add(at(end + 1, end + 2, new Deed.Names(Map.of())));
        history.add(at(end + 3, end + 4, look("a", 1)));
        Finding<Deed> finding = Linearizability.check(new NamespaceModel(), history, 20L * LONG);
        assertThat(finding.verdict()).isEqualTo(Finding.Verdict.NOT_LINEARIZABLE);
    }

    @Test
    void fewOperationsWithoutAnEndDoNotMakeItLong() {
        List<Timed<Deed>> history = new RandomHistories(Seed.random(), 1).linearizable(8, LONG / 100);
        Finding<Deed> finding = Linearizability.check(new NamespaceModel(), history, MANY);
        assertThat(finding.isLinearizable()).isTrue();
    }
}
