// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessFactsTest {
    @Test
    void aProcessTellsItsVersionItsHeapAndItsDisks(@TempDir Path directory) {
        List<DaemonReport.Fact> facts = ProcessFacts.of(List.of(directory, Path.of("/nowhere/at/all")));
        assertThat(facts)
                .extracting(DaemonReport.Fact::name)
                .containsExactly("version", "Java", "heap", "disk of " + directory, "disk of /nowhere/at/all");
        assertThat(facts.get(0).value()).matches("[0-9]+\\.[0-9]+\\.[0-9]+.*");
        assertThat(facts.get(2).value()).matches("[0-9.]+ of [0-9.]+ GB used \\([0-9]+ %\\)");
        assertThat(facts.get(3).value()).contains("GB free");
        assertThat(facts.get(4).value()).startsWith("unknown: ").contains("/nowhere");
    }
}
