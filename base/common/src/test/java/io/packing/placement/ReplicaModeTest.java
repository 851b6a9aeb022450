// SPDX-License-Identifier: Apache-2.0
package io.packing.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ReplicaModeTest {
    @Test
    void basicModesKeepAsManyOfEveryLayer() {
        assertThat(most("b0")).isZero();
        assertThat(most("B1")).isEqualTo(1);
        assertThat(most("b3")).isEqualTo(3);
        assertThat(most("b7")).isEqualTo(3);
        assertThat(ReplicaMode.named("b2").least(3)).isEqualTo(2);
        assertThat(ReplicaMode.named("b2").whole(3, List.of(new ReplicaMode.Pulled("a", 9, 1)), 0))
                .containsExactly(Map.entry("a", 2));
    }

    private static int most(String mode) {
        return ReplicaMode.named(mode).most(3);
    }

    /** Returns the whole replicas of a layer, beside one with a hundred pulls. */
    private static int whole(String mode, int replicas, int pulls) {
        List<ReplicaMode.Pulled> pulled =
                List.of(new ReplicaMode.Pulled("most", 1, 100), new ReplicaMode.Pulled("a", 1, pulls));
        return Objects.requireNonNull(
                ReplicaMode.named(mode).whole(replicas, pulled, 1_000).get("a"));
    }

    @Test
    void theSelectiveModeKeepsMoreOfWhatIsPulledMore() {
        assertThat(whole("s", 3, 100)).isEqualTo(3);
        assertThat(whole("s", 3, 60)).isEqualTo(2);
        assertThat(whole("s", 3, 1)).isEqualTo(1);
        assertThat(whole("s0", 3, 1)).isZero();
        assertThat(ReplicaMode.named("s").least(3)).isEqualTo(1);
        assertThat(ReplicaMode.named("s0").least(3)).isZero();
        assertThat(most("s0")).isEqualTo(3);
        int last = 0;
        for (int pulls = 1; pulls <= 100; pulls++) {
            int intact = whole("s", 5, pulls);
            assertThat(intact).isBetween(last, 5);
            last = intact;
        }
    }

    @Test
    void aBudgetIsForTheMostPulledLayersThatFit() {
        ReplicaMode mode = ReplicaMode.named("s5%");
        List<ReplicaMode.Pulled> pulled = List.of(
                new ReplicaMode.Pulled("rare", 10, 1),
                new ReplicaMode.Pulled("large", 60, 5),
                new ReplicaMode.Pulled("hot", 40, 9),
                new ReplicaMode.Pulled("warm", 10, 3));
        assertThat(mode.whole(3, pulled, 1_000))
                .containsExactlyInAnyOrderEntriesOf(Map.of("hot", 1, "large", 0, "warm", 1, "rare", 0));
        assertThat(mode.whole(3, pulled, 0)).containsOnlyKeys("rare", "large", "hot", "warm");
        assertThat(mode.whole(3, pulled, 0).values()).containsOnly(0);
        assertThat(mode.least(3)).isZero();
        assertThat(mode.most(3)).isEqualTo(1);
    }

    @Test
    void whatIsNoModeIsRefused() {
        for (String name :
                new String[] {"", "b", "b-1", "x", "s-1", "b1.5", "b99999999999", "b5%", "s%", "s101%", "s5%%"}) {
            assertThatThrownBy(() -> ReplicaMode.named(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + name + "'");
        }
        assertThatThrownBy(() -> new ReplicaMode.Budgeted(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ReplicaMode.Selective(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ReplicaMode.Pulled("l", 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ReplicaMode.Basic(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
