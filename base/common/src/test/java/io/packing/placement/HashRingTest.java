// SPDX-License-Identifier: Apache-2.0
package io.packing.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HashRingTest {
    private static final int KEYS = 20_000;

    private static List<String> nodes(int count) {
        return IntStream.range(0, count).mapToObj(i -> "node-" + i).toList();
    }

    @Test
    void ownersAreDifferentNodesAndNeverMoreThanThereAre() {
        HashRing ring = new HashRing(nodes(5));
        for (int i = 0; i < KEYS; i++) {
            List<String> owners = ring.owners("key-" + i, 3);
            assertThat(new HashSet<>(owners)).hasSize(3);
        }
        assertThat(ring.owners("key", 9)).containsExactlyInAnyOrderElementsOf(nodes(5));
        assertThat(ring.owners("key", 0)).isEmpty();
        assertThat(new HashRing(List.of()).owners("key", 3)).isEmpty();
        assertThatThrownBy(() -> ring.owners("key", -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void fewerOwnersAreTheFirstOfMore() {
        HashRing ring = new HashRing(nodes(6));
        for (int i = 0; i < KEYS; i++) {
            assertThat(ring.owners("key-" + i, 3))
                    .startsWith(ring.owners("key-" + i, 1).get(0));
        }
    }

    @Test
    void theOrderInWhichNodesAreNamedChangesNothing() {
        HashRing ring = new HashRing(List.of("a", "b", "c"));
        HashRing other = new HashRing(List.of("c", "a")).with("b");
        for (int i = 0; i < KEYS; i++) {
            assertThat(other.owners("key-" + i, 2)).isEqualTo(ring.owners("key-" + i, 2));
        }
    }

    @Test
    void aLostNodeMovesOnlyItsOwnKeys() {
        HashRing ring = new HashRing(nodes(8));
        HashRing less = ring.without("node-3");
        assertThat(less.nodes()).doesNotContain("node-3").hasSize(7);
        for (int i = 0; i < KEYS; i++) {
            List<String> before = ring.owners("key-" + i, 3);
            List<String> after = less.owners("key-" + i, 3);
            if (!before.contains("node-3")) {
                assertThat(after).isEqualTo(before);
            } else {
                assertThat(after)
                        .containsAll(before.stream()
                                .filter(node -> !node.equals("node-3"))
                                .toList());
            }
        }
    }

    @Test
    void nodesGetAboutEqualShares() {
        HashRing ring = new HashRing(nodes(8));
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < KEYS; i++) {
            counts.merge(ring.owners("key-" + i, 1).get(0), 1, Integer::sum);
        }
        assertThat(counts).hasSize(8);
        assertThat(Collections.max(counts.values())).isLessThan(KEYS / 8 * 3 / 2);
        assertThat(Collections.min(counts.values())).isGreaterThan(KEYS / 8 / 2);
    }
}
