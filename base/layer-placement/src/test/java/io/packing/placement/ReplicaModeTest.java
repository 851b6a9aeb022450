package io.packing.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ReplicaModeTest {
    @Test
    void basicModesKeepAsManyOfEveryLayer() {
        assertThat(ReplicaMode.named("b0").intact(3, 1)).isZero();
        assertThat(ReplicaMode.named("B1").intact(3, 0)).isEqualTo(1);
        assertThat(ReplicaMode.named("b3").intact(3, 0)).isEqualTo(3);
        assertThat(ReplicaMode.named("b7").intact(3, 0)).isEqualTo(3);
    }

    @Test
    void theSelectiveModeKeepsMoreOfWhatIsPulledMore() {
        ReplicaMode selective = ReplicaMode.named("s");
        assertThat(selective.intact(3, 1)).isEqualTo(3);
        assertThat(selective.intact(3, 0.6)).isEqualTo(2);
        assertThat(selective.intact(3, 0)).isEqualTo(1);
        assertThat(ReplicaMode.named("s0").intact(3, 0)).isZero();
        int last = 0;
        for (double popularity = 0; popularity <= 1; popularity += 0.01) {
            int intact = selective.intact(5, popularity);
            assertThat(intact).isBetween(last, 5);
            last = intact;
        }
    }

    @Test
    void whatIsNoModeIsRefused() {
        for (String name : new String[] {"", "b", "b-1", "x", "s-1", "b1.5", "b99999999999"}) {
            assertThatThrownBy(() -> ReplicaMode.named(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + name + "'");
        }
        assertThatThrownBy(() -> ReplicaMode.named("s").intact(3, Double.NaN))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ReplicaMode.Basic(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
