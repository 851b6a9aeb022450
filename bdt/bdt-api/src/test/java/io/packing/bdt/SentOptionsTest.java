// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.options.Options;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SentOptionsTest {
    @Test
    void theNameOfAKeyIsSentAndWhereItIsStaysAtHome() {
        Map<String, String> sent = BdtOptions.sent(Map.of(
                "packing.store", "s3://bucket",
                "packing.encryption.key", "small",
                "packing.encryption.keystore", "file:///etc/packing/keys",
                "packing.encryption.password.file", "/etc/packing/password"));
        assertThat(sent).isEqualTo(Map.of("packing.store", "s3://bucket", "packing.encryption.key", "small"));
    }

    @Test
    void aVersionIsNoNameOfAKey() {
        for (String bad : List.of("small@1", "two words", "k\u00e9y", "k".repeat(256))) {
            assertThatThrownBy(() -> Options.check(
                                    Map.of("packing.encryption.key", bad),
                                    "packing.",
                                    List.of(BdtOptions.ENCRYPTION_KEY))
                            .get(BdtOptions.ENCRYPTION_KEY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("packing.encryption.key");
        }
    }
}
