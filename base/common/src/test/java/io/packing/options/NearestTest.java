// SPDX-License-Identifier: Apache-2.0
package io.packing.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    @Test
    void theFewestLettersToChangeAreNearest() {
        List<String> known = List.of("bytes", "files", "size", "sizes");
        assertThat(Nearest.to("szie", known)).isEqualTo("size");
        assertThat(Nearest.namesTo("byte", known)).isEqualTo("'bytes', 'size', 'files'");
    }

    @Test
    void ofNamesThatAreAsNearTheFirstInTheAlphabetIsMeant() {
        assertThat(Nearest.to("cat", List.of("rat", "bat", "hat"))).isEqualTo("bat");
    }

    @Test
    void nothingIsNearWhenNothingIsKnown() {
        assertThat(Nearest.to("size", List.of())).isEmpty();
        assertThat(Nearest.namesTo("size", List.of())).isEmpty();
    }
}
