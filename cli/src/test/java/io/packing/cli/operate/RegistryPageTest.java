// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.status.page.DaemonReport;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RegistryPageTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private void count(String kind, String outcome, int times) {
        meters.counter("packing.store.requests", "mount", "m", "kind", kind, "outcome", outcome)
                .increment(times);
    }

    @Test
    void whatARegistryCountsIsOnItsPage() {
        count("get", "ok", 7);
        count("put", "ok", 2);
        count("get", "throttled", 3);
        count("put", "failed", 1);
        meters.counter("packing.registry.bytes", "direction", "sent").increment(12_345);
        DaemonReport report = new RegistryPage(
                        "http://here:5000", "packing://m", meters, () -> Optional.of("the mount is away"))
                .report();
        assertThat(report.requests())
                .containsExactly(new DaemonReport.RequestRow("packing://m", 2, 0, 7, 0, 0, 3, 1, Optional.empty()));
        assertThat(report.facts()).contains(new DaemonReport.Fact("bytes sent", "12,345"));
        assertThat(report.facts()).extracting(DaemonReport.Fact::name).doesNotContain("bytes in the cache");
        assertThat(report.problem()).contains("the mount is away");
        assertThat(report.name()).isEqualTo("http://here:5000");
    }
}
