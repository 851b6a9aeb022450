// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Every operation on buckets and objects, by AWS's client for Java. */
@Timeout(120)
class SdkClientTest {
    @TempDir
    private static Path home;

    private static TestGateway gateway;
    private static S3Client client;

    private final Random random = Seed.random();

    @BeforeAll
    static void start() throws IOException {
        gateway = TestGateway.start(home);
        client = SdkClients.open(gateway.uri(), TestGateway.ALICE);
    }

    @AfterAll
    static void stop() throws IOException {
        client.close();
        gateway.close();
    }

    private static String bucket(String name) {
        client.createBucket(b -> b.bucket(name));
        return name;
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static void put(String bucket, String key, String text) {
        client.putObject(p -> p.bucket(bucket).key(key), RequestBody.fromString(text));
    }

    private static String get(String bucket, String key) {
        return client.getObjectAsBytes(g -> g.bucket(bucket).key(key)).asUtf8String();
    }

    @Test
    void anObjectIsReadAsItWasWritten() {
        String bucket = bucket("round-trips");
        for (int length : new int[] {0, 1, 8_192, 300_000, 6_000_000}) {
            byte[] bytes = bytes(length);
            String etag = client.putObject(
                            p -> p.bucket(bucket)
                                    .key("a/b " + length)
                                    .contentType("text/x-test")
                                    .cacheControl("no-store")
                                    .metadata(Map.of("colour", "green")),
                            RequestBody.fromBytes(bytes))
                    .eTag();
            ResponseBytes<GetObjectResponse> got =
                    client.getObjectAsBytes(g -> g.bucket(bucket).key("a/b " + length));
            assertThat(got.asByteArray()).isEqualTo(bytes);
            assertThat(got.response().eTag()).isEqualTo(etag).isEqualTo("\"" + SdkClients.md5(bytes) + "\"");
            assertThat(got.response().contentType()).isEqualTo("text/x-test");
            assertThat(got.response().cacheControl()).isEqualTo("no-store");
            assertThat(got.response().metadata()).isEqualTo(Map.of("colour", "green"));
            HeadObjectResponse head = client.headObject(h -> h.bucket(bucket).key("a/b " + length));
            assertThat(head.contentLength()).isEqualTo(length);
            assertThat(head.eTag()).isEqualTo(etag);
            assertThat(Duration.between(head.lastModified(), Instant.now()).abs())
                    .isLessThan(Duration.ofMinutes(5));
        }
    }

    @Test
    void rangesAreServed() {
        String bucket = bucket("ranges");
        put(bucket, "k", "0123456789");
        assertThat(client.getObjectAsBytes(g -> g.bucket(bucket).key("k").range("bytes=2-4"))
                        .asUtf8String())
                .isEqualTo("234");
        ResponseBytes<GetObjectResponse> last =
                client.getObjectAsBytes(g -> g.bucket(bucket).key("k").range("bytes=-2"));
        assertThat(last.asUtf8String()).isEqualTo("89");
        assertThat(last.response().contentRange()).isEqualTo("bytes 8-9/10");
        SdkClients.fails(
                416,
                "InvalidRange",
                () -> client.getObjectAsBytes(g -> g.bucket(bucket).key("k").range("bytes=10-")));
    }

    @Test
    void readsObeyTheirConditions() {
        String bucket = bucket("read-conditions");
        put(bucket, "k", "one");
        String etag = client.headObject(h -> h.bucket(bucket).key("k")).eTag();
        Instant time = client.headObject(h -> h.bucket(bucket).key("k")).lastModified();
        assertThat(client.getObjectAsBytes(g -> g.bucket(bucket).key("k").ifMatch(etag))
                        .asUtf8String())
                .isEqualTo("one");
        SdkClients.fails(
                412,
                "PreconditionFailed",
                () -> client.getObjectAsBytes(g -> g.bucket(bucket).key("k").ifMatch("\"0\"")));
        SdkClients.fails(
                304,
                "",
                () -> client.getObjectAsBytes(g -> g.bucket(bucket).key("k").ifNoneMatch(etag)));
        SdkClients.fails(
                304,
                "",
                () -> client.getObjectAsBytes(g -> g.bucket(bucket).key("k").ifModifiedSince(time)));
        SdkClients.fails(
                412,
                "",
                () -> client.getObjectAsBytes(g -> g.bucket(bucket).key("k").ifUnmodifiedSince(time.minusSeconds(5))));
        assertThat(client.getObjectAsBytes(g -> g.bucket(bucket).key("k").ifUnmodifiedSince(time))
                        .asUtf8String())
                .isEqualTo("one");
    }

    @Test
    void writesObeyTheirConditions() {
        String bucket = bucket("write-conditions");
        client.putObject(p -> p.bucket(bucket).key("a/k").ifNoneMatch("*"), RequestBody.fromString("one"));
        SdkClients.fails(
                412,
                "PreconditionFailed",
                () -> client.putObject(
                        p -> p.bucket(bucket).key("a/k").ifNoneMatch("*"), RequestBody.fromString("two")));
        String etag = client.headObject(h -> h.bucket(bucket).key("a/k")).eTag();
        client.putObject(p -> p.bucket(bucket).key("a/k").ifMatch(etag), RequestBody.fromString("three"));
        SdkClients.fails(
                412,
                "PreconditionFailed",
                () -> client.putObject(p -> p.bucket(bucket).key("a/k").ifMatch(etag), RequestBody.fromString("four")));
        SdkClients.fails(
                404,
                "NoSuchKey",
                () -> client.putObject(
                        p -> p.bucket(bucket).key("none").ifMatch(etag), RequestBody.fromString("five")));
        assertThat(get(bucket, "a/k")).isEqualTo("three");
    }

    @Test
    void ofManyCreatorsOneSucceeds() {
        String bucket = bucket("races");
        for (int round = 0; round < 10; round++) {
            String key = "log/" + round;
            List<Integer> winners = IntStream.range(0, 8)
                    .parallel()
                    .filter(writer -> {
                        try {
                            client.putObject(
                                    p -> p.bucket(bucket).key(key).ifNoneMatch("*"),
                                    RequestBody.fromString("writer " + writer));
                            return true;
                        } catch (S3Exception e) {
                            assertThat(e.statusCode()).isEqualTo(412);
                            return false;
                        }
                    })
                    .boxed()
                    .toList();
            assertThat(winners).hasSize(1);
            assertThat(get(bucket, key)).isEqualTo("writer " + winners.get(0));
        }
    }

    @Test
    void copiesAreClones() throws IOException {
        String bucket = bucket("copies");
        byte[] bytes = bytes(200_000);
        client.putObject(
                p -> p.bucket(bucket).key("source").metadata(Map.of("a", "1")).contentType("text/a"),
                RequestBody.fromBytes(bytes));
        String etag = client.copyObject(c -> c.sourceBucket(bucket)
                        .sourceKey("source")
                        .destinationBucket(bucket)
                        .destinationKey("deep/copy"))
                .copyObjectResult()
                .eTag();
        ResponseBytes<GetObjectResponse> copy =
                client.getObjectAsBytes(g -> g.bucket(bucket).key("deep/copy"));
        assertThat(copy.asByteArray()).isEqualTo(bytes);
        assertThat(copy.response().eTag()).isEqualTo(etag).isEqualTo("\"" + SdkClients.md5(bytes) + "\"");
        assertThat(copy.response().metadata()).isEqualTo(Map.of("a", "1"));
        // A clone shares the bytes of its source, which have no place of their own any more.
        FileStatus shared =
                gateway.mount().bdt().stat(new FilePath("/copies/deep/copy")).orElseThrow();
        assertThat(shared.state()).isEqualTo(FileStatus.State.MAPPED);
        client.copyObject(c -> c.sourceBucket(bucket)
                .sourceKey("source")
                .destinationBucket(bucket)
                .destinationKey("source")
                .metadataDirective(MetadataDirective.REPLACE)
                .metadata(Map.of("b", "2")));
        assertThat(client.headObject(h -> h.bucket(bucket).key("source")).metadata())
                .isEqualTo(Map.of("b", "2"));
        SdkClients.fails(
                400,
                "InvalidRequest",
                () -> client.copyObject(c -> c.sourceBucket(bucket)
                        .sourceKey("source")
                        .destinationBucket(bucket)
                        .destinationKey("source")));
        SdkClients.fails(
                404,
                "NoSuchKey",
                () -> client.copyObject(c -> c.sourceBucket(bucket)
                        .sourceKey("none")
                        .destinationBucket(bucket)
                        .destinationKey("x")));
        SdkClients.fails(
                412,
                "PreconditionFailed",
                () -> client.copyObject(c -> c.sourceBucket(bucket)
                        .sourceKey("source")
                        .copySourceIfMatch("\"0\"")
                        .destinationBucket(bucket)
                        .destinationKey("x")));
    }

    @Test
    void checksumsAreCheckedAndToldAgain() {
        String bucket = bucket("checksums");
        for (ChecksumAlgorithm algorithm : List.of(
                ChecksumAlgorithm.CRC32, ChecksumAlgorithm.CRC32_C, ChecksumAlgorithm.SHA1, ChecksumAlgorithm.SHA256)) {
            client.putObject(
                    p -> p.bucket(bucket).key(algorithm.name()).checksumAlgorithm(algorithm),
                    RequestBody.fromString("some bytes"));
            assertThat(client.getObjectAsBytes(
                                    g -> g.bucket(bucket).key(algorithm.name()).checksumMode(ChecksumMode.ENABLED))
                            .asUtf8String())
                    .isEqualTo("some bytes");
        }
        HeadObjectResponse head =
                client.headObject(h -> h.bucket(bucket).key("SHA256").checksumMode(ChecksumMode.ENABLED));
        assertThat(head.checksumSHA256()).isNotEmpty();
        SdkClients.fails(
                400,
                "BadDigest",
                () -> client.putObject(
                        p -> p.bucket(bucket).key("wrong").checksumCRC32("AAAAAA=="),
                        RequestBody.fromString("some bytes")));
        SdkClients.fails(
                400,
                "BadDigest",
                () -> client.putObject(
                        p -> p.bucket(bucket).key("wrong").contentMD5("AAAAAAAAAAAAAAAAAAAAAA=="),
                        RequestBody.fromString("some bytes")));
        assertThatThrownBy(() -> get(bucket, "wrong")).isInstanceOf(NoSuchKeyException.class);
    }

    @Test
    void tagsAreKept() {
        String bucket = bucket("tags");
        client.putObject(p -> p.bucket(bucket).key("k").tagging("a=1&b=two%20words"), RequestBody.fromString("x"));
        String etag = client.headObject(h -> h.bucket(bucket).key("k")).eTag();
        assertThat(client.getObjectTagging(g -> g.bucket(bucket).key("k")).tagSet())
                .containsExactly(
                        Tag.builder().key("a").value("1").build(),
                        Tag.builder().key("b").value("two words").build());
        client.putObjectTagging(p -> p.bucket(bucket)
                .key("k")
                .tagging(t -> t.tagSet(Tag.builder().key("c&").value("3").build())));
        assertThat(client.getObjectTagging(g -> g.bucket(bucket).key("k")).tagSet())
                .containsExactly(Tag.builder().key("c&").value("3").build());
        client.deleteObjectTagging(d -> d.bucket(bucket).key("k"));
        assertThat(client.getObjectTagging(g -> g.bucket(bucket).key("k")).tagSet())
                .isEmpty();
        assertThat(client.headObject(h -> h.bucket(bucket).key("k")).eTag()).isEqualTo(etag);
    }

    @Test
    void presignedUrlsNeedNoKey() throws Exception {
        String bucket = bucket("presigned");
        try (S3Presigner presigner = SdkClients.presigner(gateway.uri(), TestGateway.ALICE)) {
            URI put = presigner
                    .presignPutObject(p -> p.signatureDuration(Duration.ofMinutes(5))
                            .putObjectRequest(r -> r.bucket(bucket).key("a b")))
                    .url()
                    .toURI();
            HttpClient http = HttpClient.newHttpClient();
            HttpResponse<String> stored = http.send(
                    HttpRequest.newBuilder(put)
                            .PUT(HttpRequest.BodyPublishers.ofString("by URL"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(stored.statusCode()).as(stored.body()).isEqualTo(200);
            URI get = presigner
                    .presignGetObject(p -> p.signatureDuration(Duration.ofMinutes(5))
                            .getObjectRequest(r -> r.bucket(bucket).key("a b").responseContentType("text/plain")))
                    .url()
                    .toURI();
            HttpResponse<String> got =
                    http.send(HttpRequest.newBuilder(get).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(got.body()).isEqualTo("by URL");
            assertThat(got.headers().firstValue("Content-Type")).hasValue("text/plain");
            HttpResponse<String> other = http.send(
                    HttpRequest.newBuilder(URI.create(get.toString().replace("a%20b", "other")))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(other.statusCode()).isEqualTo(403);
        }
    }

    @Test
    void filesOfOtherDoorsAreObjectsWithAnEtagOfTheirOwn() throws IOException {
        String bucket = bucket("other-doors");
        try (PackingOutput out = gateway.mount()
                .create(new FilePath("/other-doors/d/f"), new CreateOptions("h", "", 0644, true, false))) {
            out.write("from hadoop".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(get(bucket, "d/f")).isEqualTo("from hadoop");
        String etag = client.headObject(h -> h.bucket(bucket).key("d/f")).eTag();
        assertThat(etag).endsWith("-0\"");
        put(bucket, "k", "0123456789");
        String before = client.headObject(h -> h.bucket(bucket).key("k")).eTag();
        try (OutputStream out = gateway.mount().writeAt(new FilePath("/other-doors/k"), 3)) {
            out.write("xyz".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(get(bucket, "k")).isEqualTo("012xyz6789");
        assertThat(client.headObject(h -> h.bucket(bucket).key("k")).eTag())
                .isNotEqualTo(before)
                .endsWith("-0\"");
    }
}
