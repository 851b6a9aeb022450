// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoreOptionsTest {
    @Test
    void defaultsAreThoseOfTheTable() {
        StoreOptions options = StoreOptions.from(Map.of("packing.store", "s3://bucket/some/prefix/"));
        assertThat(options)
                .isEqualTo(new StoreOptions(
                        new StoreLocation.Bucket("bucket", "some/prefix"),
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        5L << 30,
                        Duration.ofMinutes(5),
                        64,
                        ServerEncryption.OF_BUCKET,
                        StoreWay.USUAL));
        assertThat(options.location().text()).isEqualTo("s3://bucket/some/prefix");
    }

    @Test
    void everyKeyIsUsedAndKeysOfOthersAreLeftAlone() {
        Map<String, String> raw = new HashMap<>(Map.of(
                "packing.store", "s3a://bucket",
                "packing.s3.endpoint", "http://127.0.0.1:9000",
                "packing.s3.region", "eu-west-1",
                "packing.s3.path.style", "false",
                "packing.s3.access.key", "ak",
                "packing.s3.secret.key", "s3cret",
                "packing.s3.put.single.max", "16MB",
                "packing.s3.retry.timeout", "30s",
                "packing.s3.connections", "8",
                "packing.threads", "nobody here parses this"));
        raw.putAll(Map.of(
                "packing.s3.sse.mode", "aws:kms",
                "packing.s3.sse.kms.key", "k",
                "packing.s3.sse.bucket.key", "false",
                "packing.s3.requester.pays", "true",
                "packing.s3.proxy", "http://proxy:3128",
                "packing.s3.ca.file", "/ca.pem"));
        assertThat(StoreOptions.from(raw))
                .isEqualTo(new StoreOptions(
                        new StoreLocation.Bucket("bucket", ""),
                        Optional.of(URI.create("http://127.0.0.1:9000")),
                        Optional.of("eu-west-1"),
                        false,
                        Optional.of(new StoreCredentials("ak", "s3cret")),
                        Optional.empty(),
                        16 << 20,
                        Duration.ofSeconds(30),
                        8,
                        new ServerEncryption("aws:kms", "k", Optional.of(false)),
                        new StoreWay(
                                true,
                                false,
                                false,
                                Optional.of(URI.create("http://proxy:3128")),
                                Optional.of(Path.of("/ca.pem")))))
                .asString()
                .doesNotContain("s3cret");
        raw.remove("packing.s3.path.style");
        assertThat(StoreOptions.from(raw).pathStyle()).isTrue();
    }

    @Test
    void badValuesAreRefusedWithTheirKey() {
        Map<String, String> bad = Map.of(
                "packing.store", "hdfs://x/y",
                "packing.s3.endpoint", "127.0.0.1:9000",
                "packing.s3.path.style", "maybe",
                "packing.s3.put.single.max", "6GB",
                "packing.s3.retry.timeout", "5",
                "packing.s3.connections", "0");
        bad.forEach((key, value) -> {
            Map<String, String> raw = new HashMap<>(Map.of("packing.store", "file:///tmp"));
            raw.put(key, value);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> StoreOptions.from(raw))
                    .withMessageContaining(key)
                    .withMessageContaining("expected");
        });
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreOptions.from(Map.of()))
                .withMessageContaining("packing.store");
    }

    @Test
    void halfACredentialIsRefusedWithoutShowingIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        StoreOptions.from(Map.of("packing.store", "s3://bucket", "packing.s3.secret.key", "s3cret")))
                .withMessageContaining("set both, or neither")
                .satisfies(e -> assertThat(e).message().doesNotContain("s3cret"));
    }

    @Test
    void aNameThatNoBucketHasIsRefusedWithTheRule() {
        for (String name : List.of(
                "",
                "ab",
                "a".repeat(64),
                "-bucket",
                "bucket-",
                ".bucket",
                "bucket.",
                "my..bucket",
                "buck et",
                "10.0.0.1",
                "b\u00fccket",
                "bucket?",
                "bucket:9000",
                "user@bucket")) {
            assertThatIllegalArgumentException()
                    .as(name)
                    .isThrownBy(() -> StoreOptions.from(Map.of("packing.store", "s3://" + name + "/prefix")))
                    .withMessageContaining("packing.store")
                    .withMessageContaining("'" + name + "'")
                    .withMessageContaining("3 to 63 characters of a-z, 0-9, dots and hyphens");
        }
        for (String name : List.of("abc", "a".repeat(63), "my.bucket-1", "10.0.0.1x", "Old_Bucket")) {
            assertThat(StoreLocation.parse("s3://" + name)).isEqualTo(new StoreLocation.Bucket(name, ""));
        }
    }

    @Test
    void locationsAreParsed() {
        assertThat(StoreLocation.parse("s3a://my-bucket//a/b//"))
                .isEqualTo(new StoreLocation.Bucket("my-bucket", "a/b"));
        assertThat(StoreLocation.parse("file:///var/x/")).isEqualTo(new StoreLocation.Directory(Path.of("/var/x")));
        assertThat(StoreLocation.parse("file:/var/a%20b")).isEqualTo(new StoreLocation.Directory(Path.of("/var/a b")));
        for (String bad :
                new String[] {"", "s3://", "s3:///p", "s3://b/a/../c", "s3://BAD_/", "file://", "file:x", "/x"}) {
            assertThatIllegalArgumentException().as(bad).isThrownBy(() -> StoreLocation.parse(bad));
        }
    }

    @Test
    void aDirectoryBucketIsRefusedByItsKind() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreOptions.from(Map.of("packing.store", "s3://mine--use1-az4--x-s3/prefix")))
                .withMessageContaining("packing.store")
                .withMessageContaining("'mine--use1-az4--x-s3' is a directory bucket (S3 Express One Zone)")
                .withMessageContaining("Take a general purpose bucket");
        assertThat(StoreLocation.parse("s3://x--x-s3-not")).isEqualTo(new StoreLocation.Bucket("x--x-s3-not", ""));
    }

    @Test
    void locationsOfOtherCloudsAreParsed() {
        assertThat(StoreLocation.parse("gs://my.bucket_1//a/b/"))
                .isEqualTo(new StoreLocation.GoogleBucket("my.bucket_1", "a/b"));
        StoreLocation azure = new StoreLocation.AzureContainer("box", "account1", "a/b");
        for (String text : List.of(
                "abfs://box@account1/a/b/",
                "abfss://box@account1.dfs.core.windows.net/a/b",
                "abfs://box@account1.blob.core.windows.net//a/b")) {
            assertThat(StoreLocation.parse(text)).as(text).isEqualTo(azure);
        }
        assertThat(azure.text()).isEqualTo("abfs://box@account1/a/b");
        for (String bad : List.of(
                "gs://",
                "gs://B",
                "gs://UPPER/p",
                "gs://a..b",
                "abfs://box/p",
                "abfs://@account1",
                "abfs://b@account1",
                "abfs://box@ACC",
                "abfs://bo--x@account1",
                "abfs://box@account1.example.com/p",
                "gs://bucket/a//b\nc")) {
            assertThatIllegalArgumentException().as(bad).isThrownBy(() -> StoreLocation.parse(bad));
        }
    }

    /** Callers of a master name stores. */
    @Test
    void aNameOfAMillionCharactersIsRefused() {
        for (String piece : List.of("a", "a.", "a-", "1.")) {
            String many = piece.repeat(1_000_000) + "a";
            for (String location : List.of(
                    "s3://" + many, "gs://" + many, "abfs://%s@account1".formatted(many), "abfs://box@" + many)) {
                assertThatIllegalArgumentException().isThrownBy(() -> StoreLocation.parse(location));
            }
        }
    }

    @Test
    void aStoreWhoseModuleIsMissingIsNamedWithTheModule() {
        assertThatIOException()
                .isThrownBy(() -> ObjectStores.open(StoreOptions.from(Map.of("packing.store", "gs://bucket/p"))))
                .withMessageContaining("gs://bucket/p")
                .withMessageContaining("object-store-clouds");
        assertThatIOException()
                .isThrownBy(
                        () -> ObjectStores.open(StoreOptions.from(Map.of("packing.store", "abfs://box@account1/p"))))
                .withMessageContaining("object-store-clouds");
    }
}
