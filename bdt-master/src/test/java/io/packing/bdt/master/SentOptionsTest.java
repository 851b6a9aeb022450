// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.BdtOptions;
import io.packing.store.StoreOptions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The options of a mount that a client sends to a remote master. */
final class SentOptionsTest {
    private static Map<String, String> raw(String send) {
        Map<String, String> raw = new HashMap<>(Map.of(
                StoreOptions.STORE.key(), "s3://bucket",
                StoreOptions.ACCESS_KEY.key(), "a",
                StoreOptions.SECRET_KEY.key(), "s",
                StoreOptions.CREDENTIALS_FILE.key(), "/mine"));
        if (!send.isEmpty()) {
            raw.put(BdtOptions.SEND_CREDENTIALS.key(), send);
        }
        return raw;
    }

    @Test
    void keysStayAtHomeWhereTheOptionsSaySo() {
        assertThat(BdtOptions.sent(raw("false")))
                .containsOnlyKeys(StoreOptions.STORE.key(), BdtOptions.SEND_CREDENTIALS.key());
    }

    @Test
    void filesOfThisProcessAlwaysDo() {
        assertThat(BdtOptions.sent(raw("")))
                .containsOnlyKeys(
                        StoreOptions.STORE.key(), StoreOptions.ACCESS_KEY.key(), StoreOptions.SECRET_KEY.key());
    }
}
