// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import io.packing.s3gateway.protocol.UriText;
import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Random requests that AWS's own signer has signed. */
class SdkSignerTest {
    private static final Instant NOW = Instant.parse("2026-11-30T09:30:00Z");
    private static final List<String> PIECES = List.of(
            "a", "B", "/", " ", "+", "%", "=", "&", "~", "*", "\u00e9", "\ud83d\ude00", "(", "'", "-", ".", "?", "#");

    @TempDir
    private Path folder;

    private final Random random = Seed.random();

    private String text(int most) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(most); left > 0; left--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    /** A signed request, in the form in which it would arrive. */
    private static final class Sent {
        private final SignedRequest request;
        private final byte[] body;

        Sent(SignedRequest request, byte[] body) {
            this.request = request;
            this.body = body;
        }

        SignedRequest request() {
            return request;
        }

        byte[] body() {
            return body;
        }
    }

    private Sent sign(boolean isChunked, boolean isPresigned, byte[] body) throws IOException {
        SdkHttpFullRequest.Builder unsigned = SdkHttpFullRequest.builder()
                .method(isPresigned ? SdkHttpMethod.GET : SdkHttpMethod.PUT)
                .protocol("http")
                .host("gateway.example")
                .port(9_000)
                .encodedPath("/bucket/" + UriText.encode("k" + text(8), true));
        for (int i = random.nextInt(4); i > 0; i--) {
            unsigned.appendRawQueryParameter("q" + text(3), text(4));
        }
        if (!isPresigned) {
            unsigned.putHeader("x-amz-meta-note", "some  text " + i());
            unsigned.putHeader("Content-Length", Integer.toString(body.length));
        }
        AwsCredentialsIdentity identity =
                AwsCredentialsIdentity.create(TestKeys.EXAMPLE.id(), TestKeys.EXAMPLE.secret());
        software.amazon.awssdk.http.auth.spi.signer.SignedRequest signed = AwsV4HttpSigner.create()
                .sign(sign -> {
                    sign.identity(identity)
                            .request(unsigned.build())
                            .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                            .putProperty(AwsV4HttpSigner.REGION_NAME, "eu-central-1")
                            .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false)
                            .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, false)
                            .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(NOW, ZoneOffset.UTC));
                    if (isPresigned) {
                        sign.putProperty(
                                        AwsV4FamilyHttpSigner.AUTH_LOCATION,
                                        AwsV4FamilyHttpSigner.AuthLocation.QUERY_STRING)
                                .putProperty(AwsV4FamilyHttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                                .putProperty(AwsV4FamilyHttpSigner.EXPIRATION_DURATION, Duration.ofHours(1));
                    } else {
                        sign.payload(ContentStreamProvider.fromByteArray(body));
                    }
                    if (isChunked) {
                        sign.putProperty(AwsV4FamilyHttpSigner.CHUNK_ENCODING_ENABLED, true)
                                .putProperty(AwsV4FamilyHttpSigner.CHECKSUM_ALGORITHM, DefaultChecksumAlgorithm.CRC32C);
                    }
                });
        byte[] sent = signed.payload().isPresent()
                ? signed.payload().get().newStream().readAllBytes()
                : new byte[0];
        return new Sent(arrived(signed.request()), sent);
    }

    private int i() {
        return random.nextInt(100);
    }

    private static SignedRequest arrived(SdkHttpRequest request) throws S3Exception {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        request.forEachHeader((name, values) -> values.forEach(value -> headers.add(Map.entry(name, value))));
        return SignedRequest.of(
                request.method().name(),
                request.encodedPath(),
                request.encodedQueryParameters().orElse(""),
                headers);
    }

    private Authenticator at(Instant time) throws IOException {
        return new Authenticator(TestKeys.in(folder, TestKeys.EXAMPLE), Clock.fixed(time, ZoneOffset.UTC));
    }

    private byte[] body() {
        byte[] body = new byte[random.nextInt(300_000)];
        random.nextBytes(body);
        return body;
    }

    private static byte[] read(Sent sent, Authenticated who) throws IOException {
        try (ObjectBody object =
                ObjectBody.open(new ByteArrayInputStream(sent.body()), sent.body().length, sent.request(), who)) {
            return object.readAllBytes();
        }
    }

    @Test
    void requestsWithTheHashOfTheirBodyAreTaken() throws IOException {
        for (int round = 0; round < 100; round++) {
            byte[] body = body();
            Sent sent = sign(false, false, body);
            Authenticated who = at(NOW).check(sent.request());
            assertThat(who.user()).isEqualTo("alice");
            assertThat(read(sent, who)).isEqualTo(body);
        }
    }

    @Test
    void signedChunksWithATrailerAreTaken() throws IOException {
        for (int round = 0; round < 20; round++) {
            byte[] body = body();
            Sent sent = sign(true, false, body);
            Authenticated who = at(NOW).check(sent.request());
            assertThat(who.payload()).isInstanceOf(Payload.Chunked.class);
            assertThat(read(sent, who)).isEqualTo(body);
            int at = random.nextInt(sent.body().length);
            byte[] changed = sent.body().clone();
            changed[at] ^= 1;
            assertThatThrownBy(() -> read(new Sent(sent.request(), changed), who))
                    .as("byte %d of %d", at, changed.length)
                    .isInstanceOf(S3Exception.class);
        }
    }

    @Test
    void presignedUrlsAreTaken() throws IOException {
        for (int round = 0; round < 50; round++) {
            Sent sent = sign(false, true, new byte[0]);
            assertThat(at(NOW.plusSeconds(3_599)).check(sent.request()).user()).isEqualTo("alice");
            assertThatThrownBy(() -> at(NOW.plusSeconds(3_601)).check(sent.request()))
                    .isInstanceOf(S3Exception.class);
        }
    }

    @Test
    void aReplayOutsideOfTheWindowIsRefused() throws IOException {
        Sent sent = sign(false, false, body());
        for (long seconds : new long[] {-899, 0, 899}) {
            assertThat(at(NOW.plusSeconds(seconds)).check(sent.request()).user())
                    .isEqualTo("alice");
        }
        for (long seconds : new long[] {-901, 901, 86_400}) {
            assertThatThrownBy(() -> at(NOW.plusSeconds(seconds)).check(sent.request()))
                    .isInstanceOfSatisfying(
                            S3Exception.class, e -> assertThat(e.code()).isEqualTo(S3Code.REQUEST_TIME_TOO_SKEWED));
        }
    }

    @Test
    void noPartOfARequestCanBeChanged() throws IOException {
        SignedRequest request = sign(false, false, body()).request();
        Authenticator authenticator = at(NOW);
        refuses(authenticator, new SignedRequest("DELETE", request.path(), request.query(), request.headers()));
        refuses(
                authenticator,
                new SignedRequest(request.method(), request.path() + "x", request.query(), request.headers()));
        List<UriText.Parameter> query = new ArrayList<>(request.query());
        query.add(new UriText.Parameter("acl", ""));
        refuses(authenticator, new SignedRequest(request.method(), request.path(), query, request.headers()));
        for (String name : List.of("host", "x-amz-date", "x-amz-meta-note", "x-amz-content-sha256")) {
            SortedMap<String, String> headers = new TreeMap<>(request.headers());
            headers.merge(name, "0", (one, other) -> name.equals("x-amz-date") ? "20261130T093001Z" : one + "0");
            refuses(authenticator, new SignedRequest(request.method(), request.path(), request.query(), headers));
        }
        SortedMap<String, String> added = new TreeMap<>(request.headers());
        added.put("x-amz-copy-source", "/other/secret");
        assertThatThrownBy(() -> authenticator.check(
                        new SignedRequest(request.method(), request.path(), request.query(), added)))
                .hasMessageContaining("does not cover the header x-amz-copy-source");
    }

    private static void refuses(Authenticator authenticator, SignedRequest changed) {
        assertThatThrownBy(() -> authenticator.check(changed)).isInstanceOf(S3Exception.class);
    }
}
