// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.master.tokens.KeyIds;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The lists of groups that a master takes. */
class FederationTest {
    private static Federation of(String own, String... names) {
        Map<String, String> groups = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            groups.put(names[i], "10.0.0.%d:19990".formatted(i + 1));
        }
        return new Federation(own, groups);
    }

    @Test
    void theFirstGroupHasTheTable() {
        assertThat(of("one", "one", "two").hasTable()).isTrue();
        assertThat(of("two", "one", "two").hasTable()).isFalse();
        assertThat(of("two", "one", "two").addresses("one")).isEqualTo("10.0.0.1:19990");
    }

    @Test
    void aMasterThatIsOfNoneOfTheGroupsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("three", "one", "two"))
                .withMessageContaining("bdt.mounts.groups");
    }

    /** Each would take the other's tokens for its own. */
    @Test
    void namesThatWouldGiveKeysTheSameIdsAreRefused() {
        Map<KeyIds, String> seen = new HashMap<>();
        String first = null;
        String second = "";
        for (int i = 0; first == null; i++) {
            second = "g" + i;
            first = seen.put(KeyIds.of(second), second);
        }
        String one = first;
        String other = second;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("mine", "mine", one, other))
                .withMessageContaining("'%s' and '%s'".formatted(one, other))
                .withMessageContaining("another name");
        assertThat(of("mine", "mine", one).groups()).hasSize(2);
    }
}
