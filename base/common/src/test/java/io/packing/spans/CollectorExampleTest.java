// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class CollectorExampleTest {
    private static final Path EXAMPLE = Path.of("../../conf/otel/collector.yaml");

    private static Map<?, ?> map(Map<?, ?> of, String key) {
        return (Map<?, ?>) Objects.requireNonNull(of.get(key), key);
    }

    @Test
    void theExampleListensWhereTheDocumentationSendsSpansAndItsPipelineIsWhole() throws Exception {
        String text = Files.readString(EXAMPLE);
        Map<?, ?> config = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        Map<?, ?> http = map(map(map(map(config, "receivers"), "otlp"), "protocols"), "http");
        String documented = "packing.spans.otlp=http://" + http.get("endpoint");
        assertThat(text).contains(documented);
        assertThat(Files.readString(Path.of("../../docs/spans.md"))).contains(documented);
        Map<?, ?> traces = map(map(map(config, "service"), "pipelines"), "traces");
        for (String kind : List.of("receivers", "processors", "exporters")) {
            assertThat(map(config, kind).keySet().stream().map(Object::toString).toList())
                    .as(kind)
                    .containsAll(((List<?>) Objects.requireNonNull(traces.get(kind), kind))
                            .stream().map(Object::toString).toList());
        }
    }
}
