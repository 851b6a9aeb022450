// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.master.rpc.OpenCall;
import io.packing.options.Options;
import io.packing.store.StoreOptions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The options of a mount that a client sends to a remote master. */
final class SentOptionsTest {
    private static Map<String, String> raw(String send) {
        Map<String, String> raw = new HashMap<>(Map.of(
                StoreOptions.STORE.key(),
                "s3://bucket",
                StoreOptions.ACCESS_KEY.key(),
                "a",
                StoreOptions.SECRET_KEY.key(),
                "s",
                StoreOptions.CREDENTIALS_FILE.key(),
                "/mine",
                "packing.s3.proxy",
                "http://mine:3128",
                "packing.s3.ca.file",
                "/mine.pem"));
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

    @Test
    void filesAndProxiesThatACallerSendsAllTheSameAreNotTaken() {
        assertThat(BdtOptions.received(raw("")))
                .containsOnlyKeys(
                        StoreOptions.STORE.key(), StoreOptions.ACCESS_KEY.key(), StoreOptions.SECRET_KEY.key());
    }

    @Test
    void theMastersOwnProxyAndAuthoritiesAreThoseOfItsOptions() {
        Map<String, String> own = new HashMap<>();
        own.put("bdt.s3.proxy", "http://masters:3128");
        own.put("bdt.s3.ca.file", "/masters.pem");
        own.put("bdt.s3.credentials.file", "/masters");
        StoreAccess access = StoreAccess.from(Options.check(own, "bdt.", StoreAccess.OPTIONS));
        assertThat(access.in(Map.of("packing.store", "s3://bucket", "packing.s3.proxy", "http://others:1")))
                .containsOnly(
                        Map.entry("packing.store", "s3://bucket"),
                        Map.entry("packing.s3.proxy", "http://masters:3128"),
                        Map.entry("packing.s3.ca.file", "/masters.pem"),
                        Map.entry("packing.s3.credentials.file", "/masters"));
    }

    @Test
    void onlyCallersWhoMayMakeMountsSayHowTheBucketEncryptsAndWhoPays() {
        Map<String, String> raw = new HashMap<>(Map.of(
                "packing.store",
                "s3://bucket",
                "packing.s3.sse.kms.key",
                "theirs",
                "packing.s3.requester.pays",
                "true"));
        assertThat(OpenCall.received(raw, false, false, false, "").options()).containsOnlyKeys("packing.store");
        assertThat(OpenCall.received(raw, true, false, false, "").options()).isEqualTo(raw);
    }
}
