// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class JsonTextTest {
    record Thing(String someName, long count, Optional<Double> maybe, List<String> all) {}

    @Test
    void aRecordIsAnObjectWithUnderscores() {
        assertThat(JsonText.of(new Thing("n", 1L << 60, Optional.of(0.5), List.of("a", "b"))))
                .isEqualTo("{\"some_name\":\"n\",\"count\":1152921504606846976,\"maybe\":0.5,\"all\":[\"a\",\"b\"]}");
    }

    @Test
    void whatIsNotKnownIsNull() {
        assertThat(JsonText.of(List.of(Optional.empty(), Double.NaN, Double.POSITIVE_INFINITY, Map.of("k", true))))
                .isEqualTo("[null,null,null,{\"k\":true}]");
    }

    @Test
    void noTextLeavesItsQuotesOrBecomesMarkup() {
        assertThat(JsonText.of("\"\\</script>&\n\0é\u2028"))
                .isEqualTo("\"\\\"\\\\\\u003c/script\\u003e\\u0026\\u000a\\u0000\\u00e9\\u2028\"");
    }

    @Test
    void anythingElseIsRefused() {
        assertThatThrownBy(() -> JsonText.of(new Object())).hasMessageContaining("java.lang.Object");
    }
}
