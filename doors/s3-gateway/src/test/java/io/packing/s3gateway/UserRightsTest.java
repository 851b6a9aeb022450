// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The rights of the mount count for each access key's user. */
@Timeout(180)
class UserRightsTest {
    @TempDir
    private Path home;

    private TestGateway gateway;
    private S3Client alice;
    private S3Client bob;

    @BeforeEach
    void start() throws IOException {
        TestAuthority authority = TestAuthority.create(
                home.resolve("certificates"), "authority", Clock.systemUTC().instant());
        IssuedCertificate daemon = authority.issue("daemon", "CN=node-1, O=packing-daemon");
        IssuedCertificate superuser = authority.issue("gateway", "CN=gateway, O=packing-superuser");
        gateway = TestGateway.start(
                home,
                authority.options("bdt", daemon),
                authority.options("packing", daemon),
                authority.options("packing", superuser));
        alice = SdkClients.open(gateway.uri(), TestGateway.ALICE);
        bob = SdkClients.open(gateway.uri(), TestGateway.BOB);
    }

    @AfterEach
    void stop() throws IOException {
        alice.close();
        bob.close();
        gateway.close();
    }

    private static void denied(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(S3Exception.class, e -> {
            assertThat(e.statusCode()).isEqualTo(403);
            assertThat(e.awsErrorDetails().errorCode()).isEqualTo("AccessDenied");
        });
    }

    private void mode(String path, int mode) throws IOException {
        assertThat(gateway.mount()
                        .bdt()
                        .setAttributes(
                                new FilePath(path),
                                new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode))))
                .isEqualTo(Outcome.DONE);
    }

    @Test
    void aKeyHasTheRightsOfItsUserAndNoOthers() throws IOException {
        alice.createBucket(c -> c.bucket("of-alice"));
        alice.putObject(p -> p.bucket("of-alice").key("open/k"), RequestBody.fromString("for all"));
        alice.putObject(p -> p.bucket("of-alice").key("own"), RequestBody.fromString("for alice"));
        FileStatus file =
                gateway.mount().bdt().stat(new FilePath("/of-alice/open/k")).orElseThrow();
        assertThat(file.attributes().owner()).isEqualTo("alice");
        mode("/of-alice/own", 0600);
        assertThat(bob.getObjectAsBytes(g -> g.bucket("of-alice").key("open/k")).asUtf8String())
                .isEqualTo("for all");
        denied(() -> bob.getObjectAsBytes(g -> g.bucket("of-alice").key("own")));
        denied(() -> bob.putObject(p -> p.bucket("of-alice").key("open/k"), RequestBody.fromString("of bob")));
        denied(() -> bob.putObject(p -> p.bucket("of-alice").key("new/k"), RequestBody.fromString("of bob")));
        denied(() -> bob.deleteObject(d -> d.bucket("of-alice").key("open/k")));
        denied(() -> bob.copyObject(c -> c.sourceBucket("of-alice")
                .sourceKey("own")
                .destinationBucket("of-alice")
                .destinationKey("copy")));
        assertThat(alice.getObjectAsBytes(g -> g.bucket("of-alice").key("own")).asUtf8String())
                .isEqualTo("for alice");
        assertThat(bob.deleteObjects(d -> d.bucket("of-alice").delete(x -> x.objects(o -> o.key("own"))))
                        .errors())
                .singleElement()
                .satisfies(error -> assertThat(error.code()).isEqualTo("AccessDenied"));
        assertThat(gateway.mount().bdt().list(FilePath.SCRATCH, "", 10).orElse(List.of()))
                .isEmpty();
    }

    @Test
    void aListingTellsNoHashOfBytesThatItsReaderMayNotRead() throws IOException {
        alice.createBucket(c -> c.bucket("of-alice"));
        String etag = alice.putObject(
                        p -> p.bucket("of-alice").key("own").metadata(Map.of("a", "b")),
                        RequestBody.fromString("secret"))
                .eTag();
        mode("/of-alice/own", 0600);
        assertThat(alice.listObjectsV2(l -> l.bucket("of-alice")).contents().stream()
                        .map(S3Object::eTag))
                .containsExactly(etag);
        assertThat(bob.listObjectsV2(l -> l.bucket("of-alice")).contents().stream()
                        .map(S3Object::eTag))
                .hasSize(1)
                .doesNotContain(etag);
        mode("/of-alice", 0711);
        denied(() -> bob.listObjectsV2(l -> l.bucket("of-alice")));
    }

    @Test
    void nobodySeesOrEndsTheUploadOfAnotherUser() {
        alice.createBucket(c -> c.bucket("shared"));
        String id =
                alice.createMultipartUpload(c -> c.bucket("shared").key("k")).uploadId();
        String etag = alice.uploadPart(
                        u -> u.bucket("shared").key("k").uploadId(id).partNumber(1), RequestBody.fromString("part"))
                .eTag();
        assertThat(bob.listMultipartUploads(l -> l.bucket("shared")).uploads()).isEmpty();
        for (Runnable call : List.<Runnable>of(
                () -> bob.listParts(l -> l.bucket("shared").key("k").uploadId(id)),
                () -> bob.abortMultipartUpload(a -> a.bucket("shared").key("k").uploadId(id)),
                () -> bob.uploadPart(
                        u -> u.bucket("shared").key("k").uploadId(id).partNumber(1), RequestBody.fromString("x")))) {
            assertThatThrownBy(call::run)
                    .isInstanceOfSatisfying(
                            S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
        }
        alice.completeMultipartUpload(c -> c.bucket("shared")
                .key("k")
                .uploadId(id)
                .multipartUpload(m ->
                        m.parts(CompletedPart.builder().partNumber(1).eTag(etag).build())));
        assertThat(alice.getObjectAsBytes(g -> g.bucket("shared").key("k")).asUtf8String())
                .isEqualTo("part");
    }
}
