// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test that the benchmark ends: a refusal of the master, or a phase that dies, ends it with an error. */
class BdtScaleTest {
    @ParameterizedTest
    @ValueSource(strings = {"leveldb", "rocksdb"})
    void fillsAndMeasures(String engine) {
        assertThatCode(() -> BdtScale.main(new String[] {"10000", engine, "20"}))
                .doesNotThrowAnyException();
    }

    @Test
    void aPhaseThatFailsEndsTheRun() {
        assertThatCode(() -> BdtScale.main(new String[] {"10000", "none", "20"}))
                .hasMessageContaining("ended with 1");
    }
}
