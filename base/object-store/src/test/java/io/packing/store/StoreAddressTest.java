// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The addresses of options, in all their spellings. */
class StoreAddressTest {
    @TempDir
    private Path directory;

    private static StoreAddress address(String store, String... more) throws IOException {
        Map<String, String> options = new HashMap<>(Map.of("packing.store", store));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return StoreAddress.of(StoreOptions.from(options));
    }

    private static StoreAddress at(String store, String endpoint) throws IOException {
        return address(store, "packing.s3.endpoint", endpoint);
    }

    @ParameterizedTest
    @CsvSource({
        "http://STORE:80/, http://store",
        "http://store, http://store.",
        "https://Store:443, https://store/",
        "http://store:9000/a/../b//c/, http://store:9000/b/c",
    })
    void spellingsOfOneServerAreEqual(String one, String other) throws IOException {
        assertThat(at("s3://bucket/p", one)).isEqualTo(at("s3a://bucket//p/", other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://store", "http://store:81", "http://store/x", "http://store.evil", "http://evil"})
    void otherServersDiffer(String other) throws IOException {
        assertThat(at("s3://bucket/p", other)).isNotEqualTo(at("s3://bucket/p", "http://store"));
    }

    @Test
    void theBucketInTheHostNameIsAnotherHost() throws IOException {
        StoreAddress inHost =
                address("s3://bucket/p", "packing.s3.endpoint", "http://store:9000", "packing.s3.path.style", "false");
        assertThat(inHost.text()).isEqualTo("s3://bucket/p@http://bucket.store:9000");
        assertThat(inHost).isNotEqualTo(at("s3://bucket/p", "http://store:9000"));
    }

    @Test
    void regionsOfOnePartOfAwsLeadToOneBucketAndOthersDoNot() throws IOException {
        StoreAddress usual = address("s3://bucket/p");
        assertThat(address("s3://bucket/p", "packing.s3.region", "eu-west-1", "packing.s3.path.style", "true"))
                .isEqualTo(usual);
        assertThat(address("s3://bucket/p", "packing.s3.region", "cn-north-1")).isNotEqualTo(usual);
        assertThat(usual.text()).isEqualTo("s3://bucket/p");
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.com/", "us-east-1.evil.com#", "a b", "a@b", "a/b", "a?b", "..", "a:80"})
    void aRegionThatWouldChangeTheHostIsRefused(String region) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> address("s3://bucket/p", "packing.s3.region", region))
                .withMessageContaining("packing.s3.region");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://store?x=1", "http://store#x", "http://user@store", "file:///etc", "http:store"})
    void anEndpointIsAServerAndNothingElse(String endpoint) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> at("s3://bucket/p", endpoint))
                .withMessageContaining("packing.s3.endpoint");
    }

    @Test
    void aPrefixCoversWholeNamesOnly() throws IOException {
        StoreAddress allowed = at("s3://bucket/data", "http://store");
        assertThat(allowed.isWithin(allowed)).isTrue();
        assertThat(at("s3://bucket/data/x", "http://store").isWithin(allowed)).isTrue();
        assertThat(at("s3://bucket/data/x", "http://store").isWithin(at("s3://bucket", "http://store")))
                .isTrue();
        assertThat(at("s3://bucket/data2", "http://store").isWithin(allowed)).isFalse();
        assertThat(at("s3://bucket", "http://store").isWithin(allowed)).isFalse();
        assertThat(at("s3://bucket2/data", "http://store").isWithin(allowed)).isFalse();
        assertThat(at("s3://bucket/data", "http://other").isWithin(allowed)).isFalse();
        assertThat(address("s3://bucket/data").isWithin(allowed)).isFalse();
    }

    @Test
    void directoriesAreComparedWhereTheyReallyAre() throws IOException {
        Path data = Files.createDirectories(directory.resolve("data"));
        Files.createDirectories(directory.resolve("data2"));
        Path secret = Files.createDirectories(directory.resolve("secret"));
        Files.createSymbolicLink(data.resolve("link"), secret);
        Files.createSymbolicLink(directory.resolve("alias"), data);
        StoreAddress allowed = address("file://" + data);
        assertThat(address("file:" + data + "/").isWithin(allowed)).isTrue();
        assertThat(address("file://" + data + "/new/deep").isWithin(allowed)).isTrue();
        assertThat(address("file://" + directory + "/alias/new").isWithin(allowed))
                .isTrue();
        for (String outside : new String[] {
            "/data2",
            "/data/../secret",
            "/data/link",
            "/data/link/deep",
            "/data/%2e%2e/secret",
            "",
            "/data/x/../../secret"
        }) {
            assertThat(address("file://" + directory + outside).isWithin(allowed))
                    .as(outside)
                    .isFalse();
        }
        Files.createSymbolicLink(data.resolve("dangling"), directory.resolve("none"));
        assertThatIOException()
                .isThrownBy(() -> address("file://" + data + "/dangling"))
                .withMessageContaining("symbolic link");
    }
}
