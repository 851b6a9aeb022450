// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class YcsbLoadTest {
    @Test
    void sharesHoldAllOperationsTogether() {
        YcsbLoad spec = new YcsbLoad(10, 10, 2, 1);
        assertThat(spec.share(1)).isEqualTo(spec);
        assertThat(spec.share(4).operations()).isEqualTo(3);
        assertThat(spec.share(5).operations()).isEqualTo(2);
    }

    @Test
    void everyTurnHasOperationsOfItsOwn() {
        YcsbLoad spec = new YcsbLoad(10, 10, 2, 1);
        assertThat(spec.turn(0)).isEqualTo(spec);
        assertThat(spec.turn(1).run()).isNotEqualTo(spec.turn(2).run()).isNotEqualTo(spec.run());
        assertThat(spec.turn(1).operations()).isEqualTo(10);
    }
}
