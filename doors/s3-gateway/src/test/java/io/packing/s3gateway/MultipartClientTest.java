// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32;
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
import software.amazon.awssdk.services.s3.model.ChecksumType;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/** Uploads in parts, by AWS's client for Java. */
@Timeout(120)
class MultipartClientTest {
    private static final int PART = 5 << 20;
    private static final String BUCKET = "uploads";

    @TempDir
    private static Path home;

    private static TestGateway gateway;
    private static S3Client client;

    private final Random random = Seed.random();

    @BeforeAll
    static void start() throws IOException {
        gateway = TestGateway.start(home);
        client = SdkClients.open(gateway.uri(), TestGateway.ALICE);
        client.createBucket(b -> b.bucket(BUCKET));
    }

    @AfterAll
    static void stop() throws IOException {
        client.close();
        gateway.close();
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String begin(String key) {
        return client.createMultipartUpload(
                        c -> c.bucket(BUCKET).key(key).contentType("text/parts").metadata(Map.of("m", "1")))
                .uploadId();
    }

    private static CompletedPart part(String key, String id, int number, byte[] bytes) {
        String etag = client.uploadPart(
                        u -> u.bucket(BUCKET).key(key).uploadId(id).partNumber(number), RequestBody.fromBytes(bytes))
                .eTag();
        return CompletedPart.builder().partNumber(number).eTag(etag).build();
    }

    private static CompleteMultipartUploadResponse complete(String key, String id, List<CompletedPart> parts) {
        return client.completeMultipartUpload(
                c -> c.bucket(BUCKET).key(key).uploadId(id).multipartUpload(m -> m.parts(parts)));
    }

    private static ResponseBytes<GetObjectResponse> get(String key) {
        return client.getObjectAsBytes(g -> g.bucket(BUCKET).key(key));
    }

    private static void fails(int status, String code, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(S3Exception.class, e -> {
            assertThat(e.statusCode()).isEqualTo(status);
            assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code);
        });
    }

    @Test
    void anObjectInPartsSharesTheBytesOfItsParts() throws IOException {
        byte[] one = bytes(PART);
        byte[] two = bytes(PART + 1);
        byte[] three = bytes(10);
        String key = "dir/parts";
        String id = begin(key);
        // Out of order, and one part twice: the last one counts.
        CompletedPart third = part(key, id, 30, three);
        CompletedPart unused = part(key, id, 20, bytes(100));
        CompletedPart second = part(key, id, 20, two);
        CompletedPart first = part(key, id, 1, one);
        assertThat(client.listParts(l -> l.bucket(BUCKET).key(key).uploadId(id)).parts().stream()
                        .map(each -> each.partNumber() + ":" + each.size()))
                .containsExactly("1:" + PART, "20:" + (PART + 1), "30:10");
        assertThatThrownBy(() -> get(key)).isInstanceOf(S3Exception.class);
        CompleteMultipartUploadResponse done = complete(key, id, List.of(first, second, third));
        byte[] md5s = Bytes.concat(md5(one), md5(two), md5(three));
        assertThat(done.eTag()).isEqualTo("\"" + SdkClients.md5(md5s) + "-3\"");
        ResponseBytes<GetObjectResponse> got = get(key);
        assertThat(got.asByteArray()).isEqualTo(Bytes.concat(one, two, three));
        assertThat(got.response().eTag()).isEqualTo(done.eTag());
        assertThat(got.response().contentType()).isEqualTo("text/parts");
        assertThat(got.response().metadata()).isEqualTo(Map.of("m", "1"));
        assertThat(gateway.mount()
                        .bdt()
                        .stat(new FilePath("/uploads/dir/parts"))
                        .orElseThrow()
                        .state())
                .isEqualTo(FileStatus.State.MAPPED);
        ResponseBytes<GetObjectResponse> part =
                client.getObjectAsBytes(g -> g.bucket(BUCKET).key(key).partNumber(2));
        assertThat(part.asByteArray()).isEqualTo(two);
        assertThat(part.response().partsCount()).isEqualTo(3);
        // A client asks again when it got no answer.
        assertThat(complete(key, id, List.of(first, second, third)).eTag()).isEqualTo(done.eTag());
        fails(404, "NoSuchUpload", () -> complete(key, otherThan(id), List.of(first)));
    }

    /** Returns an identifier of the same form that differs in its first digit. */
    private static String otherThan(String id) {
        return (id.charAt(0) == '0' ? '1' : '0') + id.substring(1);
    }

    private static byte[] md5(byte[] bytes) {
        return HexFormat.of().parseHex(SdkClients.md5(bytes));
    }

    @Test
    void wrongCompletionsLeaveTheUploadAsItIs() {
        String key = "wrong";
        String id = begin(key);
        CompletedPart first = part(key, id, 1, bytes(10));
        CompletedPart second = part(key, id, 2, bytes(10));
        fails(400, "InvalidPartOrder", () -> complete(key, id, List.of(second, first)));
        fails(
                400,
                "InvalidPart",
                () -> complete(
                        key,
                        id,
                        List.of(
                                first,
                                second,
                                CompletedPart.builder().partNumber(3).eTag("0").build())));
        fails(
                400,
                "InvalidPart",
                () -> complete(
                        key,
                        id,
                        List.of(CompletedPart.builder()
                                .partNumber(1)
                                .eTag(second.eTag())
                                .build())));
        fails(400, "EntityTooSmall", () -> complete(key, id, List.of(first, second)));
        assertThatThrownBy(() -> get(key)).isInstanceOf(S3Exception.class);
        fails(404, "NoSuchUpload", () -> part("another", id, 1, bytes(10)));
        fails(404, "NoSuchUpload", () -> part(key, "../../x", 1, bytes(10)));
        fails(400, "InvalidArgument", () -> part(key, id, 0, bytes(10)));
        fails(400, "InvalidArgument", () -> part(key, id, 10_001, bytes(10)));
        assertThat(complete(key, id, List.of(second)).eTag()).endsWith("-1\"");
        assertThat(get(key).asByteArray()).hasSize(10);
    }

    @Test
    void anAbortedUploadIsGone() {
        String id = begin("aborted");
        CompletedPart first = part("aborted", id, 1, bytes(10));
        assertThat(client.listMultipartUploads(l -> l.bucket(BUCKET).prefix("abort")).uploads().stream()
                        .map(MultipartUpload::uploadId))
                .containsExactly(id);
        client.abortMultipartUpload(a -> a.bucket(BUCKET).key("aborted").uploadId(id));
        fails(404, "NoSuchUpload", () -> part("aborted", id, 2, bytes(10)));
        fails(404, "NoSuchUpload", () -> complete("aborted", id, List.of(first)));
        fails(
                404,
                "NoSuchUpload",
                () -> client.abortMultipartUpload(
                        a -> a.bucket(BUCKET).key("aborted").uploadId(id)));
        assertThat(client.listMultipartUploads(l -> l.bucket(BUCKET).prefix("abort"))
                        .uploads())
                .isEmpty();
    }

    @Test
    void partsOfOtherObjectsAreClones() {
        byte[] source = bytes(PART + 100);
        client.putObject(p -> p.bucket(BUCKET).key("source"), RequestBody.fromBytes(source));
        String id = begin("joined");
        List<CompletedPart> parts = new ArrayList<>();
        for (int number = 1; number <= 2; number++) {
            int at = number;
            String range = number == 1 ? "bytes=0-" + (PART - 1) : "bytes=%d-%d".formatted(PART, PART + 99);
            String etag = client.uploadPartCopy(u -> u.sourceBucket(BUCKET)
                            .sourceKey("source")
                            .destinationBucket(BUCKET)
                            .destinationKey("joined")
                            .uploadId(id)
                            .partNumber(at)
                            .copySourceRange(range))
                    .copyPartResult()
                    .eTag();
            parts.add(CompletedPart.builder().partNumber(number).eTag(etag).build());
        }
        CompletedPart last = part("joined", id, 3, new byte[0]);
        CompleteMultipartUploadResponse unused = complete("joined", id, parts);
        assertThat(get("joined").asByteArray()).isEqualTo(source);
        assertThat(last.partNumber()).isEqualTo(3);
    }

    @Test
    void aCompletionObeysItsCondition() {
        client.putObject(p -> p.bucket(BUCKET).key("taken"), RequestBody.fromString("first"));
        String id = begin("taken");
        CompletedPart only = part("taken", id, 1, bytes(10));
        fails(
                412,
                "PreconditionFailed",
                () -> client.completeMultipartUpload(c -> c.bucket(BUCKET)
                        .key("taken")
                        .uploadId(id)
                        .ifNoneMatch("*")
                        .multipartUpload(m -> m.parts(only))));
        assertThat(get("taken").asUtf8String()).isEqualTo("first");
    }

    @Test
    void checksumsOfPartsMakeThatOfTheObject() {
        for (ChecksumType type : List.of(ChecksumType.COMPOSITE, ChecksumType.FULL_OBJECT)) {
            String key = "sums-" + type;
            String id = client.createMultipartUpload(c -> c.bucket(BUCKET)
                            .key(key)
                            .checksumAlgorithm(ChecksumAlgorithm.CRC32)
                            .checksumType(type))
                    .uploadId();
            List<CompletedPart> parts = new ArrayList<>();
            byte[] all = new byte[0];
            for (int number = 1; number <= 2; number++) {
                int at = number;
                byte[] bytes = bytes(number == 1 ? PART : 1_000);
                all = Bytes.concat(all, bytes);
                UploadPartResponse uploaded = client.uploadPart(
                        u -> u.bucket(BUCKET)
                                .key(key)
                                .uploadId(id)
                                .partNumber(at)
                                .checksumAlgorithm(ChecksumAlgorithm.CRC32),
                        RequestBody.fromBytes(bytes));
                parts.add(CompletedPart.builder()
                        .partNumber(number)
                        .eTag(uploaded.eTag())
                        .checksumCRC32(uploaded.checksumCRC32())
                        .build());
            }
            CompleteMultipartUploadResponse done = client.completeMultipartUpload(c ->
                    c.bucket(BUCKET).key(key).uploadId(id).checksumType(type).multipartUpload(m -> m.parts(parts)));
            if (type == ChecksumType.COMPOSITE) {
                assertThat(done.checksumCRC32()).endsWith("-2");
            } else {
                CRC32 crc = new CRC32();
                crc.update(all);
                byte[] value = Ints.toByteArray((int) crc.getValue());
                assertThat(done.checksumCRC32()).isEqualTo(Base64.getEncoder().encodeToString(value));
            }
            assertThat(client.getObjectAsBytes(g -> g.bucket(BUCKET).key(key).checksumMode(ChecksumMode.ENABLED))
                            .asByteArray())
                    .isEqualTo(all);
        }
    }
}
