// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of AWS's documentation of signatures of version 4 for S3, with the signatures printed there. */
class PublishedExamplesTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2013-05-24T00:00:00Z"), ZoneOffset.UTC);
    private static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    private static final String CREDENTIAL = "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request";
    private static final String SEED = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9";

    @TempDir
    private Path folder;

    private Authenticator authenticator;

    @BeforeEach
    void start() throws IOException {
        authenticator = new Authenticator(TestKeys.in(folder, TestKeys.EXAMPLE), CLOCK);
    }

    private static SignedRequest request(
            String method, String path, String query, String signed, String signature, String... headers)
            throws S3Exception {
        List<Map.Entry<String, String>> all = new ArrayList<>();
        all.add(Map.entry("Host", "examplebucket.s3.amazonaws.com"));
        all.add(Map.entry("x-amz-date", "20130524T000000Z"));
        for (int i = 0; i < headers.length; i += 2) {
            all.add(Map.entry(headers[i], headers[i + 1]));
        }
        all.add(Map.entry(
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=%s,SignedHeaders=%s,Signature=%s"
                        .formatted(CREDENTIAL, signed, signature)));
        return SignedRequest.of(method, path, query, all);
    }

    @Test
    void aGetOfARangeIsSigned() throws S3Exception {
        SignedRequest get = request(
                "GET",
                "/test.txt",
                "",
                "host;range;x-amz-content-sha256;x-amz-date",
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
                "Range",
                "bytes=0-9",
                "x-amz-content-sha256",
                EMPTY);
        assertThat(authenticator.check(get).user()).isEqualTo("alice");
    }

    @Test
    void aPutWithASignInItsKeyIsSigned() throws S3Exception {
        SignedRequest put = request(
                "PUT",
                "/test%24file.text",
                "",
                "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
                "Date",
                "Fri, 24 May 2013 00:00:00 GMT",
                "x-amz-storage-class",
                "REDUCED_REDUNDANCY",
                "x-amz-content-sha256",
                "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072");
        assertThat(authenticator.check(put).payload())
                .isEqualTo(new Payload.Hashed("44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"));
    }

    @Test
    void queriesAreSignedInTheirOrder() throws S3Exception {
        SignedRequest lifecycle = request(
                "GET",
                "/",
                "lifecycle",
                "host;x-amz-content-sha256;x-amz-date",
                "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
                "x-amz-content-sha256",
                EMPTY);
        assertThat(authenticator.check(lifecycle).user()).isEqualTo("alice");
        SignedRequest list = request(
                "GET",
                "/",
                "prefix=J&max-keys=2",
                "host;x-amz-content-sha256;x-amz-date",
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
                "x-amz-content-sha256",
                EMPTY);
        assertThat(authenticator.check(list).user()).isEqualTo("alice");
    }

    @Test
    void aPresignedUrlIsGoodForItsTime() throws Exception {
        String query = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + CREDENTIAL.replace("/", "%2F")
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature="
                + "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
        SignedRequest get = SignedRequest.of(
                "GET", "/test.txt", query, List.of(Map.entry("Host", "examplebucket.s3.amazonaws.com")));
        assertThat(authenticator.check(get).user()).isEqualTo("alice");
        Authenticator later = new Authenticator(
                TestKeys.in(folder, TestKeys.EXAMPLE),
                Clock.fixed(Instant.parse("2013-05-25T00:00:01Z"), ZoneOffset.UTC));
        assertThatThrownBy(() -> later.check(get)).hasMessageContaining("expired");
        Authenticator before = new Authenticator(
                TestKeys.in(folder, TestKeys.EXAMPLE),
                Clock.fixed(Instant.parse("2013-05-23T23:00:00Z"), ZoneOffset.UTC));
        assertThatThrownBy(() -> before.check(get)).hasMessageContaining("not yet valid");
    }

    private static SignedRequest chunkedPut() throws S3Exception {
        return request(
                "PUT",
                "/examplebucket/chunkObject.txt",
                "",
                "content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class",
                SEED,
                "x-amz-storage-class",
                "REDUCED_REDUNDANCY",
                "Content-Encoding",
                "aws-chunked",
                "x-amz-decoded-content-length",
                "66560",
                "Content-Length",
                "66824",
                "x-amz-content-sha256",
                "STREAMING-AWS4-HMAC-SHA256-PAYLOAD");
    }

    private static byte[] chunks() {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes("10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n"
                .getBytes(StandardCharsets.US_ASCII));
        body.writeBytes("a".repeat(65_536).getBytes(StandardCharsets.US_ASCII));
        body.writeBytes("\r\n400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n"
                .getBytes(StandardCharsets.US_ASCII));
        body.writeBytes("a".repeat(1_024).getBytes(StandardCharsets.US_ASCII));
        body.writeBytes("\r\n0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
        return body.toByteArray();
    }

    /** The documentation's host is that of the region here, and its path has the bucket. */
    private static SignedRequest ofRegion(SignedRequest request) {
        SortedMap<String, String> headers = new TreeMap<>(request.headers());
        headers.put("host", "s3.amazonaws.com");
        return new SignedRequest(request.method(), request.path(), request.query(), headers);
    }

    private byte[] read(byte[] body) throws IOException {
        SignedRequest put = ofRegion(chunkedPut());
        Authenticated who = authenticator.check(put);
        try (ObjectBody object = ObjectBody.open(new ByteArrayInputStream(body), body.length, put, who)) {
            return object.readAllBytes();
        }
    }

    @Test
    void chunksAreSignedOneByOne() throws IOException {
        assertThat(chunks()).hasSize(66_824);
        assertThat(read(chunks())).isEqualTo("a".repeat(66_560).getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void aChangedCutOrLongerBodyIsRefused() {
        byte[] changed = chunks();
        changed[70_000 - 4_000] ^= 1;
        refuses(changed, S3Code.SIGNATURE_DOES_NOT_MATCH);
        byte[] whole = chunks();
        for (int length : new int[] {0, 10, 80, 1_000, 65_700, 66_000, 66_700}) {
            refuses(Arrays.copyOf(whole, length), S3Code.INCOMPLETE_BODY);
        }
        String text = new String(whole, StandardCharsets.US_ASCII);
        refuses(text.replace("\r\n400;", "x\r\n400;").getBytes(StandardCharsets.US_ASCII), S3Code.INCOMPLETE_BODY);
        refuses(
                text.replace("chunk-signature=00556", "chunk-signature=10556").getBytes(StandardCharsets.US_ASCII),
                S3Code.SIGNATURE_DOES_NOT_MATCH);
        // Without its last chunks, and with a signature of none.
        refuses(
                (text.substring(0, text.indexOf("400;")) + "0;chunk-signature=\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII),
                S3Code.SIGNATURE_DOES_NOT_MATCH);
    }

    private void refuses(byte[] body, S3Code code) {
        assertThatThrownBy(() -> read(body))
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
