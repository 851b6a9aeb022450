// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RequestHistoryTest {
    @Test
    void aUserIsExpectedToAskForWhatHeHasNotAskedFor() {
        RequestHistory<String, Integer> before = new RequestHistory<>(10, 10);
        assertThat(before.notAsked("a", List.of(3, 1, 3, 2))).containsExactly(3, 1, 2);
        assertThat(before.ask("a", 1)).isTrue();
        assertThat(before.ask("a", 1)).isFalse();
        assertThat(before.ask("b", 2)).isTrue();
        assertThat(before.notAsked("a", List.of(3, 1, 2))).containsExactly(3, 2);
        assertThat(before.notAsked("b", List.of(3, 1, 2))).containsExactly(3, 1);
        assertThat(before.notAsked("nobody", List.of(1))).containsExactly(1);
    }

    @Test
    void ofObjectsThoseAreForgottenThatWereLongestNotAskedFor() {
        RequestHistory<String, Integer> before = new RequestHistory<>(10, 2);
        before.ask("a", 1);
        before.ask("a", 2);
        before.ask("a", 1);
        before.ask("a", 3);
        assertThat(before.notAsked("a", List.of(1, 2, 3))).containsExactly(2);
    }

    @Test
    void ofUsersThoseAreForgottenThatAskedForNothingForLongest() {
        RequestHistory<String, Integer> before = new RequestHistory<>(2, 10);
        before.ask("a", 1);
        before.ask("b", 1);
        before.ask("a", 2);
        before.ask("c", 1);
        assertThat(before.notAsked("a", List.of(1, 2))).isEmpty();
        assertThat(before.notAsked("b", List.of(1))).containsExactly(1);
        assertThat(before.notAsked("c", List.of(1))).isEmpty();
    }
}
