// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writes at random places of a small file; the benchmark itself compares bytes that it wrote. */
@Tag("process")
class RandomWritesTest {
    @Test
    void everyWriteIsCountedAndItsBytesAreReadAgain() throws Exception {
        Map<String, Double> figures = RandomWrites.measure(
                "--json",
                "--writes",
                "200",
                "--file-bytes",
                "1048576",
                "--threads",
                "4",
                "packing.durability=buffered");
        assertThat(figures).containsEntry("writes", 200.0);
        assertThat(figures)
                .extractingByKeys(
                        "first_decile_per_s", "last_decile_per_s", "log_bytes_per_write", "journal_bytes_per_write")
                .allSatisfy(figure -> assertThat(figure).isPositive());
        assertThat(figures.get("log_bytes_per_write")).isGreaterThan(figures.get("journal_bytes_per_write"));
    }
}
