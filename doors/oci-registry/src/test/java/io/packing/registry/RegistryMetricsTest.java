package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.registry.dedup.DedupCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RegistryMetricsTest {
    @Test
    void theMetricsThatAreDocumentedAreThoseThatThereAre() throws IOException {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        RegistryMetrics metrics = new RegistryMetrics(meters);
        metrics.answered("blob", "GET", 200);
        metrics.wrongBytes();
        metrics.examined(DedupCase.TAR);
        metrics.notExamined("full");
        Set<String> served = meters.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getName().replace('.', '_') + "_total")
                .collect(Collectors.toSet());
        Set<String> documented = Pattern.compile("`(packing_registry_[a-z_]+)`")
                .matcher(Files.readString(Path.of("../../docs/metrics.md")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        assertThat(served).isEqualTo(documented);
    }
}
