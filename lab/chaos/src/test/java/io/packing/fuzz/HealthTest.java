// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HealthTest {
    @Test
    void onlyFilesThatCallersLostAreNoFind() {
        String lost = "mount m: 1 files are lost: workers came back without their 10 bytes.\n";
        assertThat(Health.judge(200, "ok")).isEmpty();
        assertThat(Health.judge(503, lost)).isEmpty();
        assertThat(Health.judge(503, lost + "mount m: the writer died")).containsExactly("mount m: the writer died");
        assertThat(Health.judge(500, "a bug")).containsExactly("a bug");
    }
}
