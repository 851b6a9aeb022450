// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.linear.BruteForce;
import io.packing.linear.Finding.Verdict;
import io.packing.linear.Timed;
import io.packing.seed.Seed;
import io.packing.simulation.history.HistoryBreaker.Break;
import io.packing.simulation.schedule.RecordedOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test that a broken history has no order, and of the form in which histories are kept. */
class HistoryBreakerTest {
    private static final int HISTORIES = 300;
    private static final int OPERATIONS = 7;

    /** Returns a history of a register that takes each operation at a moment between its call and its end. */
    private static RegisterHistory sound(Random random, int number) {
        List<RecordedOperation> operations = new ArrayList<>();
        long value = RegisterHistory.ABSENT;
        for (int i = 0; i < OPERATIONS; i++) {
            boolean writes = random.nextBoolean();
            if (writes) {
                value = random.nextInt(5) == 0 ? RegisterHistory.ABSENT : i;
            }
            long moment = 10L * i;
            long end = writes && random.nextInt(6) == 0 ? RecordedOperation.OPEN : moment + random.nextInt(15);
            operations.add(new RecordedOperation(i, writes, value, moment - random.nextInt(15), end));
        }
        return new RegisterHistory("h" + number, operations);
    }

    @ParameterizedTest
    @EnumSource
    void noOrderExplainsABrokenHistory(Break how) {
        Random random = Seed.random();
        HistoryBreaker breaker = new HistoryBreaker(random);
        int broken = 0;
        for (int i = 0; i < HISTORIES; i++) {
            RegisterHistory sound = sound(random, i);
            assertThat(sound.verdict()).as(sound.json()).isEqualTo(Verdict.LINEARIZABLE);
            Optional<RegisterHistory> made = breaker.broken(sound, how);
            if (made.isPresent()) {
                broken++;
                RegisterHistory history = made.get();
                assertThat(history.verdict()).as(history.json()).isEqualTo(Verdict.NOT_LINEARIZABLE);
                assertThat(BruteForce.isLinearizable(
                                new RegisterModel(RegisterHistory.ABSENT),
                                history.operations().stream()
                                        .map(each -> new Timed<>(each, each.call(), each.end()))
                                        .toList()))
                        .as(history.json())
                        .isFalse();
            }
        }
        assertThat(broken).isGreaterThan(HISTORIES / 20);
    }

    @Test
    void aRecordedLineIsReadAsItWas() {
        RecordedOperation open = new RecordedOperation(2, true, -1, 5, RecordedOperation.OPEN);
        RecordedOperation read = new RecordedOperation(1, false, 7, 6, 9);
        List<RegisterHistory> histories =
                RegisterHistory.of(17, List.of(open.line("/c0/f1"), "step other", read.line("/c0/f1")));
        assertThat(histories).containsExactly(new RegisterHistory("17/c0/f1", List.of(open, read)));
        assertThat(histories.get(0).json())
                .isEqualTo("{\"history\":\"17/c0/f1\",\"initial\":-1,\"operations\":["
                        + "{\"client\":2,\"kind\":\"write\",\"value\":-1,\"call\":5},"
                        + "{\"client\":1,\"kind\":\"read\",\"value\":7,\"call\":6,\"end\":9}]}");
    }
}
