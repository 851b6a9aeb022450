// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.masters.ClientOperation.Told;
import io.packing.linear.BruteForce;
import io.packing.linear.Finding;
import io.packing.linear.Linearizability;
import io.packing.linear.Timed;
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

    private static Timed<ClientOperation> at(long call, long end, ClientOperation deed) {
        return new Timed<>(deed, call, end);
    }

    private static Timed<ClientOperation> open(long call, ClientOperation deed) {
        return new Timed<>(deed, call, Timed.NEVER);
    }

    private static ClientOperation look(String name, long... version) {
        return new ClientOperation.Look(name, version.length == 0 ? OptionalLong.empty() : OptionalLong.of(version[0]));
    }

    @SafeVarargs
    private static boolean isLinearizable(Timed<ClientOperation>... history) {
        boolean is = Linearizability.check(new NamespaceModel(), List.of(history), MANY)
                .isLinearizable();
        assertThat(BruteForce.isLinearizable(new NamespaceModel(), List.of(history)))
                .isEqualTo(is);
        return is;
    }

    @Test
    void aFileThatWasCreatedIsThereUntilItIsDeleted() {
        Timed<ClientOperation> create = at(0, 1, new ClientOperation.Create("a", 1, false, Told.DONE));
        assertThat(isLinearizable(create, at(2, 3, look("a", 1)))).isTrue();
        assertThat(isLinearizable(create, at(2, 3, look("a")))).isFalse();
        assertThat(isLinearizable(create, at(2, 3, new ClientOperation.Delete("a", Told.DONE)), at(4, 5, look("a", 1))))
                .isFalse();
    }

    @Test
    void ofTwoExclusiveCreatesOneIsRefused() {
        Timed<ClientOperation> first = at(0, 9, new ClientOperation.Create("a", 1, false, Told.DONE));
        assertThat(isLinearizable(first, at(1, 8, new ClientOperation.Create("a", 2, false, Told.REFUSED))))
                .isTrue();
        assertThat(isLinearizable(first, at(1, 8, new ClientOperation.Create("a", 2, false, Told.DONE))))
                .isFalse();
        assertThat(isLinearizable(at(0, 9, new ClientOperation.Create("a", 1, false, Told.REFUSED))))
                .isFalse();
    }

    @Test
    void aRenameTakesTheVersionAlong() {
        Timed<ClientOperation> a = at(0, 1, new ClientOperation.Create("a", 1, false, Told.DONE));
        Timed<ClientOperation> b = at(2, 3, new ClientOperation.Create("b", 2, false, Told.DONE));
        Timed<ClientOperation> over = at(4, 5, new ClientOperation.Move("a", "b", true, Told.DONE));
        assertThat(isLinearizable(a, b, over, at(6, 7, new ClientOperation.Names(Map.of("b", 1L)))))
                .isTrue();
        assertThat(isLinearizable(a, b, over, at(6, 7, look("b", 2)))).isFalse();
        assertThat(isLinearizable(a, b, over, at(6, 7, look("a", 1)))).isFalse();
        assertThat(isLinearizable(a, b, at(4, 5, new ClientOperation.Move("a", "b", false, Told.DONE))))
                .isFalse();
    }

    @Test
    void aRenameIsSeenWholeByAListing() {
        Timed<ClientOperation> create = at(0, 1, new ClientOperation.Create("a", 1, false, Told.DONE));
        Timed<ClientOperation> move = at(2, 9, new ClientOperation.Move("a", "b", false, Told.DONE));
        assertThat(isLinearizable(create, move, at(3, 4, new ClientOperation.Names(Map.of("a", 1L)))))
                .isTrue();
        assertThat(isLinearizable(create, move, at(3, 4, new ClientOperation.Names(Map.of("a", 1L, "b", 1L)))))
                .isFalse();
        assertThat(isLinearizable(create, move, at(3, 4, new ClientOperation.Names(Map.of()))))
                .isFalse();
    }

    @Test
    void whatNobodyHeardOfHappensAtMostOnce() {
        Timed<ClientOperation> create = at(0, 1, new ClientOperation.Create("a", 1, false, Told.DONE));
        Timed<ClientOperation> delete = open(2, new ClientOperation.Delete("a", Told.NOTHING));
        Timed<ClientOperation> again = at(5, 6, new ClientOperation.Create("a", 2, false, Told.DONE));
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
            List<Timed<ClientOperation>> history = histories.linearizable(1 + random.nextInt(4), 3 + random.nextInt(5));
            assertThat(Linearizability.check(new NamespaceModel(), history, MANY)
                            .isLinearizable())
                    .as("%s", history)
                    .isTrue();
            List<Timed<ClientOperation>> damaged = histories.damaged(history);
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
        List<Timed<ClientOperation>> history = new RandomHistories(Seed.random(), 0).linearizable(8, LONG);
        Finding<ClientOperation> finding = Linearizability.check(new NamespaceModel(), history, MANY);
        assertThat(finding.isLinearizable()).isTrue();
        assertThat(finding.configurations()).isLessThan(20L * LONG);
    }

    @Test
    void damageLateInALongHistoryIsFound() {
        List<Timed<ClientOperation>> history = new RandomHistories(Seed.random(), 0).linearizable(8, LONG);
        long end = history.stream().mapToLong(Timed::end).max().orElseThrow();
        history.add(at(end + 1, end + 2, new ClientOperation.Names(Map.of())));
        history.add(at(end + 3, end + 4, look("a", 1)));
        Finding<ClientOperation> finding = Linearizability.check(new NamespaceModel(), history, 20L * LONG);
        assertThat(finding.verdict()).isEqualTo(Finding.Verdict.NOT_LINEARIZABLE);
    }

    @Test
    void fewOperationsWithoutAnEndDoNotMakeItLong() {
        List<Timed<ClientOperation>> history = new RandomHistories(Seed.random(), 1).linearizable(8, LONG / 100);
        Finding<ClientOperation> finding = Linearizability.check(new NamespaceModel(), history, MANY);
        assertThat(finding.isLinearizable()).isTrue();
    }
}
