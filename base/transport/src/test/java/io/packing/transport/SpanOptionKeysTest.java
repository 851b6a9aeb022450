// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.options.Options;
import io.packing.spans.SpanOptions;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SpanOptionKeysTest {
    private static SpanOptions parse(Map<String, String> raw) {
        return SpanOptionKeys.OF_MOUNTS.ofMount(Options.check(raw, "packing.", SpanOptionKeys.OF_MOUNTS.ofMounts()));
    }

    private static void refused(String key, String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(Map.of(key, value)))
                .withMessageContaining(key);
    }

    @Test
    void withoutOptionsThereAreNoSpans() {
        assertThat(parse(Map.of()).collector()).isEmpty();
        assertThat(parse(Map.of()).paths()).isFalse();
    }

    @Test
    void whatIsSaidHolds() {
        assertThat(parse(Map.of(
                        "packing.spans.otlp",
                        "https://collector:4318/v1/traces",
                        "packing.spans.sample",
                        "1",
                        "packing.spans.paths",
                        "true")))
                .isEqualTo(new SpanOptions(Optional.of(URI.create("https://collector:4318/v1/traces")), 1, true));
    }

    @Test
    void impossibleValuesAreRefusedByName() {
        for (String address : new String[] {"collector:4318", "ftp://collector", "http://", "http:// x", "4318"}) {
            refused("packing.spans.otlp", address);
        }
        for (String share : new String[] {"-0.1", "1.1", "NaN", "many", ""}) {
            refused("packing.spans.sample", share);
        }
        refused("packing.spans.sampel", "1");
    }

    @Test
    void noOptionIsSentToTheMaster() {
        assertThat(SpanOptionKeys.OF_MOUNTS.without(Map.of(
                        "packing.spans.otlp", "http://x", "packing.spans.sample", "1", "packing.spans.paths", "true")))
                .isEmpty();
    }
}
