// SPDX-License-Identifier: Apache-2.0
package io.packing.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Histories of one register, as in the papers. */
class LinearizabilityTest {
    private static final long MANY = 1_000_000;

    /** A register that begins with 0. */
    private static final class Register implements SequentialModel<Integer, Register.Access> {
        record Access(boolean writes, int value) {}

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Optional<Integer> step(Integer state, Access access) {
            if (access.writes) {
                return Optional.of(access.value);
            }
            return state == access.value ? Optional.of(state) : Optional.empty();
        }

        @Override
        public boolean isRead(Access access) {
            return !access.writes;
        }
    }

    private static Timed<Register.Access> write(int value, long call, long end) {
        return new Timed<>(new Register.Access(true, value), call, end);
    }

    private static Timed<Register.Access> read(int value, long call, long end) {
        return new Timed<>(new Register.Access(false, value), call, end);
    }

    private static Finding<Register.Access> check(List<Timed<Register.Access>> history) {
        Finding<Register.Access> finding = Linearizability.check(new Register(), history, MANY);
        assertThat(finding.isLinearizable()).isEqualTo(BruteForce.isLinearizable(new Register(), history));
        return finding;
    }

    /** The second write leaves the register when it comes first. Then nothing takes back what the open write gives. */
    @Test
    void aWriteOfThePresentValueMayHaveToComeLater() {
        assertThat(check(List.of(write(2, 8, Timed.NEVER), read(2, 25, 36), write(0, 35, 43), read(0, 40, 52)))
                        .isLinearizable())
                .isTrue();
    }

    @Test
    void nothingIsLinearizable() {
        assertThat(check(List.of()).isLinearizable()).isTrue();
    }

    @Test
    void aReadBesideAWriteMayComeBeforeOrAfterIt() {
        assertThat(check(List.of(write(1, 0, 10), read(0, 1, 2), read(1, 3, 4))).isLinearizable())
                .isTrue();
    }

    @Test
    void aWriteThatWasSeenStaysSeen() {
        Finding<Register.Access> finding = check(List.of(write(1, 0, 10), read(1, 1, 2), read(0, 3, 4)));
        assertThat(finding.verdict()).isEqualTo(Finding.Verdict.NOT_LINEARIZABLE);
        assertThat(finding.toString()).contains("with 1 none of these can come next", "value=0");
    }

    @Test
    void aWriteThatEndedIsSeenByEveryReadThatBeginsThen() {
        assertThat(check(List.of(write(1, 0, 1), write(2, 2, 3), read(1, 4, 5))).isLinearizable())
                .isFalse();
    }

    @Test
    void twoReadersDoNotSeeTwoWritesInDifferentOrders() {
        List<Timed<Register.Access>> history = List.of(
                write(1, 0, 100), write(2, 0, 100), read(1, 10, 20), read(2, 30, 40), read(2, 10, 20), read(1, 30, 40));
        assertThat(check(history).isLinearizable()).isFalse();
    }

    @Test
    void anOpenWriteMayHappenLateOrNever() {
        assertThat(check(List.of(write(1, 0, Timed.NEVER), read(0, 1, 2), read(0, 50, 51)))
                        .isLinearizable())
                .isTrue();
        assertThat(check(List.of(write(1, 0, Timed.NEVER), read(0, 1, 2), read(1, 50, 51)))
                        .isLinearizable())
                .isTrue();
    }

    @Test
    void anOpenWriteHappensOnceAndNotBeforeItsCall() {
        assertThat(check(List.of(write(1, 0, Timed.NEVER), read(1, 1, 2), write(2, 3, 4), read(1, 5, 6)))
                        .isLinearizable())
                .isFalse();
        assertThat(check(List.of(read(1, 0, 1), write(1, 2, Timed.NEVER))).isLinearizable())
                .isFalse();
    }

    @Test
    void operationsThatTouchInTimeMayComeInEitherOrder() {
        assertThat(check(List.of(write(1, 0, 5), read(0, 5, 6))).isLinearizable())
                .isTrue();
    }

    @Test
    void aSearchThatIsTooLongIsNoVerdict() {
        List<Timed<Register.Access>> history = new ArrayList<>();
        for (int i = 1; i <= 12; i++) {
            history.add(write(i, 0, 100));
        }
        history.add(read(99, 0, 100));
        assertThat(Linearizability.check(new Register(), history, 1_000).verdict())
                .isEqualTo(Finding.Verdict.UNDECIDED);
    }

    @Test
    void anEndBeforeTheCallIsRefused() {
        assertThatThrownBy(() -> write(1, 2, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
