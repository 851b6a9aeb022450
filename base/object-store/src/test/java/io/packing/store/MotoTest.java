// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.storeservers.AwsServices.Service;
import io.packing.storeservers.ServerKind;
import io.packing.storeservers.StoreServer;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Roles from another project's token service, with its rights at the store of that project: moto, in a process of its own. It gives
 * roles to all who ask. From {@link #check} on it checks each signature, and the policy of its role.
 */
@NullUnmarked
@Timeout(120)
@Tag("process")
class MotoTest {
    private static final String ROLE = "arn:aws:iam::123456789012:role/";
    private static final String MAY_ALL = "\"s3:*\"";
    private static final String MAY_READ = "\"s3:ListBucket\", \"s3:GetObject\"";

    @TempDir
    private Path home;

    private final HttpClient http = HttpClient.newHttpClient();
    private AwsProcess process;
    private StoreServer moto;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        assumeTrue(ServerKind.MOTO.find().isPresent(), ServerKind.MOTO.howToInstall());
        process = new AwsProcess(home);
        moto = StoreServer.start(ServerKind.MOTO, home.resolve("moto"));
        process.set("aws.endpointUrlSts", moto.endpoint().toString());
        ask("PUT", "/bucket", "s3", "");
        role("writer", MAY_ALL);
        role("reader", MAY_READ);
    }

    @AfterEach
    void stop() throws IOException {
        if (process != null) {
            process.close();
        }
        if (moto != null) {
            moto.close();
        }
    }

    private HttpResponse<String> ask(String method, String path, String service, String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(moto.endpoint().resolve(path))
                .header(
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=admin/20260101/us-east-1/%s/aws4_request, SignedHeaders=host, Signature=x"
                                .formatted(service))
                .header("Content-Type", service.isEmpty() ? "text/plain" : "application/x-www-form-urlencoded")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    private void iam(Map<String, String> parameters) throws IOException, InterruptedException {
        String body = parameters.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        ask("POST", "/", "iam", body + "&Version=2010-05-08");
    }

    private void role(String name, String actions) throws IOException, InterruptedException {
        iam(Map.of("Action", "CreateRole", "RoleName", name, "AssumeRolePolicyDocument", """
                {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sts:AssumeRole"}]}"""));
        iam(Map.of("Action", "PutRolePolicy", "RoleName", name, "PolicyName", "p", "PolicyDocument", """
                {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": [%s], "Resource": "*"}]}""".formatted(
                        actions)));
    }

    /** Lets moto check signatures and policies from now on. */
    private void check() throws IOException, InterruptedException {
        ask("POST", "/moto-api/reset-auth", "", "0");
    }

    private ObjectStore open(Map<String, String> more) throws IOException {
        Map<String, String> all = new HashMap<>(more);
        all.put("packing.s3.endpoint", moto.endpoint().toString());
        return process.open(all);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aPodsRoleWritesAndReads() throws IOException, InterruptedException {
        process.webIdentity();
        process.set("aws.roleArn", ROLE + "writer");
        try (ObjectStore store = open(Map.of())) {
            check();
            store.put("k", bytes("content"), PutCondition.IF_ABSENT);
            assertThat(store.get("k", 0, 7)).isEqualTo(bytes("content"));
        }
        assertThat(process.services.calls(Service.MACHINE)).isEmpty();
    }

    @Test
    void aRoleThatMayReadAndNotPutSaysWhichRightItLacksAndNothingIsThere() throws IOException, InterruptedException {
        process.config("""
                [default]
                role_arn = %sreader
                source_profile = base
                [profile base]
                aws_access_key_id = of-base
                aws_secret_access_key = s
                """.formatted(ROLE));
        try (ObjectStore store = open(Map.of())) {
            check();
            assertThatIOException()
                    .isThrownBy(() -> store.put("k", bytes("content"), PutCondition.IF_ABSENT))
                    .withMessageContaining("credentials refused (403 AccessDenied)")
                    .withMessageContaining("the role " + ROLE + "reader")
                    .withMessageContaining("allow them s3:PutObject on bucket bucket");
            // Older versions of moto refuse the signature of a listing whose prefix has a slash.
            assertThatExceptionOfType(ObjectNotFoundException.class).isThrownBy(() -> store.get("k", 0, 1));
        }
    }

    @Test
    void keysThatTheStoreDoesNotKnowAreRefusedWithTheirSource() throws IOException, InterruptedException {
        check();
        process.variable("AWS_ACCESS_KEY_ID", "AKIANOBODY");
        process.variable("AWS_SECRET_ACCESS_KEY", "s3cret");
        assertThatIOException()
                .isThrownBy(() -> open(Map.of()))
                .withMessageContaining("credentials refused (403 InvalidAccessKeyId)")
                .withMessageContaining("AWS_ACCESS_KEY_ID")
                .satisfies(e -> assertThat(e).message().doesNotContain("s3cret"));
    }

    @Test
    void anObjectHasTheEncryptionThatTheOptionsAskFor() throws IOException, InterruptedException {
        process.webIdentity();
        try (ObjectStore store =
                open(Map.of("packing.s3.sse.mode", "aws:kms", "packing.s3.sse.kms.key", "alias/packing"))) {
            store.put("k", bytes("content"), PutCondition.IF_ABSENT);
        }
        HttpResponse<String> there = ask("GET", "/bucket/p/k", "s3", "");
        assertThat(there.headers().firstValue("x-amz-server-side-encryption")).hasValue("aws:kms");
        assertThat(there.headers().firstValue("x-amz-server-side-encryption-aws-kms-key-id"))
                .hasValue("alias/packing");
    }
}
