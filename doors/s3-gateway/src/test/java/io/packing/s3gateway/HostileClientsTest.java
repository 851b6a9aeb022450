// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.FilePath;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients without keys, with others' words, and with broken or endless requests. */
@Timeout(120)
class HostileClientsTest {
    private static final byte[] NOTHING = new byte[0];
    /** More than the threads of a gateway. */
    private static final int STRANGERS = 100;

    @TempDir
    private Path home;

    private TestGateway gateway;
    private SignedHttp alice;

    @BeforeEach
    void start() throws IOException {
        gateway = TestGateway.start(home);
        alice = new SignedHttp(gateway.uri(), TestGateway.ALICE);
        assertThat(alice.ask("PUT", "/bucket").status()).isEqualTo(200);
        assertThat(alice.ask("PUT", "/bucket/secret", "", bytes("hidden words"), Map.of())
                        .status())
                .isEqualTo(200);
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private SignedHttp.Answer send(String text) throws IOException {
        return SignedHttp.send(gateway.uri(), text, NOTHING);
    }

    @Test
    void aRequestWithoutASignatureLearnsNothing() throws IOException {
        for (String target : List.of(
                "GET /",
                "GET /bucket",
                "GET /bucket/secret",
                "GET /none",
                "PUT /bucket/x",
                "DELETE /bucket/secret",
                "POST /bucket?delete",
                "HEAD /bucket/secret",
                "OPTIONS /bucket",
                "BREW /bucket")) {
            SignedHttp.Answer answer =
                    send(target + " HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            assertThat(answer.status()).as(target).isEqualTo(403);
            assertThat(answer.text()).doesNotContain("hidden");
        }
        assertThat(alice.ask("GET", "/bucket/secret").body()).isEqualTo("hidden words");
    }

    /** As the clients of Python do: they read why a body is refused, though they send all of it before. */
    @Test
    void aClientThatSendsALongBodyBeforeItReadsSeesWhyItIsRefused() throws IOException {
        byte[] body = new byte[50 << 20];
        String stranger = "PUT /bucket/x HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                .formatted(body.length);
        assertThat(SignedHttp.send(gateway.uri(), stranger, body).code()).isEqualTo("AccessDenied");
        Map<String, String> wrong = Map.of("content-md5", "?");
        assertThat(alice.ask("PUT", "/bucket/x", "", body, wrong).code()).isEqualTo("InvalidDigest");
    }

    @Test
    void aReplayBeyondTheWindowIsRefused() throws IOException {
        for (Duration off : List.of(Duration.ofMinutes(-16), Duration.ofMinutes(16), Duration.ofDays(-1))) {
            String head = alice.head("GET", "/bucket/secret", "", Instant.now().plus(off), NOTHING, Map.of());
            SignedHttp.Answer answer = send(head + "Connection: close\r\n\r\n");
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.code()).isEqualTo("RequestTimeTooSkewed");
        }
    }

    @Test
    void anotherHostOrBodyIsNotTheSignedOne() throws IOException {
        String head = alice.head("PUT", "/bucket/x", "", Instant.now(), bytes("right"), Map.of());
        String close = "Connection: close\r\n\r\n";
        String host = "host: " + gateway.uri().getAuthority();
        assertThat(SignedHttp.send(gateway.uri(), head.replace(host, "host: evil.example") + close, bytes("right"))
                        .code())
                .isEqualTo("SignatureDoesNotMatch");
        assertThat(SignedHttp.send(gateway.uri(), head + close, bytes("wrong")).code())
                .isEqualTo("XAmzContentSHA256Mismatch");
        assertThat(SignedHttp.send(
                                gateway.uri(), head + "x-amz-copy-source: /bucket/secret\r\n" + close, bytes("right"))
                        .status())
                .isEqualTo(403);
        assertThat(alice.ask("GET", "/bucket/x").status()).isEqualTo(404);
    }

    @Test
    void aHostBelowTheDomainNamesTheBucketOnlyWhereItIsSigned() throws IOException {
        SignedHttp byHost = new SignedHttp(
                URI.create("http://bucket.s3.test:" + gateway.uri().getPort()), TestGateway.ALICE);
        assertThat(byHost.ask("GET", "/secret").body()).isEqualTo("hidden words");
        String head = byHost.head("GET", "/secret", "", Instant.now(), NOTHING, Map.of());
        assertThat(send(head.replace("host: bucket.", "host: other.") + "Connection: close\r\n\r\n")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aBombOfEntitiesIsRefused() throws IOException {
        StringBuilder bomb = new StringBuilder("<!DOCTYPE Delete [<!ENTITY a \"aaaaaaaaaa\">");
        for (char c = 'b'; c <= 'z'; c++) {
            bomb.append("<!ENTITY ")
                    .append(c)
                    .append(" \"")
                    .append(("&" + (char) (c - 1) + ";").repeat(10))
                    .append("\">");
        }
        bomb.append("]><Delete><Object><Key>&z;</Key></Object></Delete>");
        Map<String, String> sum = Map.of("content-md5", md5(bytes(bomb.toString())));
        SignedHttp.Answer answer = alice.ask("POST", "/bucket", "delete=", bytes(bomb.toString()), sum);
        assertThat(answer.code()).isEqualTo("MalformedXML");
    }

    private static String md5(byte[] bytes) {
        return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(SdkClients.md5(bytes)));
    }

    @Test
    void endlessLinesHeadersAndBodiesAreRefused() throws IOException {
        assertThat(send("GET /" + "a".repeat(100_000) + " HTTP/1.1\r\nHost: x\r\n\r\n")
                        .status())
                .isBetween(400, 499);
        assertThat(send("GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + "a".repeat(100_000) + "\r\n\r\n")
                        .status())
                .isBetween(400, 499);
        Map<String, String> long1 =
                Map.of("content-length", Long.toString(9L << 20), "x-amz-content-sha256", "UNSIGNED-PAYLOAD");
        String document = alice.head("POST", "/bucket", "delete=", Instant.now(), NOTHING, withMd5(long1));
        assertThat(send(document + "Expect: 100-continue\r\n\r\n").code()).isEqualTo("EntityTooLarge");
        Map<String, String> long2 =
                Map.of("content-length", Long.toString(6L << 30), "x-amz-content-sha256", "UNSIGNED-PAYLOAD");
        String large = alice.head("PUT", "/bucket/large", "", Instant.now(), NOTHING, long2);
        assertThat(send(large + "Expect: 100-continue\r\n\r\n").code()).isEqualTo("EntityTooLarge");
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            many.put("x-amz-meta-" + i, "v".repeat(200));
        }
        assertThat(alice.ask("PUT", "/bucket/m", "", bytes("x"), many).code()).isEqualTo("MetadataTooLarge");
    }

    private static Map<String, String> withMd5(Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.put("content-md5", md5(NOTHING));
        return all;
    }

    @Test
    void anUploadThatIsCutInTheMiddleLeavesNothing() throws IOException, InterruptedException {
        Map<String, String> headers = Map.of("content-length", "10000000", "x-amz-content-sha256", "UNSIGNED-PAYLOAD");
        for (int sent : new int[] {0, 100, 6_000_000}) {
            try (Socket socket =
                    new Socket(InetAddress.getLoopbackAddress(), gateway.uri().getPort())) {
                String head = alice.head("PUT", "/bucket/cut", "", Instant.now(), NOTHING, headers) + "\r\n";
                socket.getOutputStream().write(bytes(head));
                socket.getOutputStream().write(new byte[sent]);
                socket.getOutputStream().flush();
                socket.shutdownOutput();
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(answer).doesNotContain("200 OK");
            }
        }
        assertThat(alice.ask("GET", "/bucket/cut").status()).isEqualTo(404);
        assertThat(gateway.mount().bdt().list(FilePath.SCRATCH, "", 10).orElse(List.of()))
                .isEmpty();
    }

    /** A client without a key that sends a body slowly gets its answer at once, and holds no thread. */
    @Test
    void strangersWhoSendSlowlyHoldNoThread() throws IOException {
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < STRANGERS; i++) {
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), gateway.uri().getPort());
                strangers.add(socket);
                socket.getOutputStream()
                        .write(bytes("PUT /bucket/slow HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx"));
                socket.getOutputStream().flush();
            }
            assertThat(alice.ask("GET", "/bucket/secret").body()).isEqualTo("hidden words");
            for (Socket each : strangers) {
                InputStream in = each.getInputStream();
                assertThat(new String(in.readNBytes(12), StandardCharsets.US_ASCII))
                        .isEqualTo("HTTP/1.1 403");
            }
        } finally {
            for (Socket each : strangers) {
                each.close();
            }
        }
    }

    @Test
    void whatTheGatewayDoesNotDoIsRefusedByName() throws IOException {
        for (Map<String, String> asked : List.of(
                Map.of("x-amz-server-side-encryption", "AES256"),
                Map.of("x-amz-acl", "public-read"),
                Map.of("x-amz-storage-class", "GLACIER"),
                Map.of("x-amz-object-lock-mode", "COMPLIANCE"))) {
            SignedHttp.Answer answer = alice.ask("PUT", "/bucket/asked", "", bytes("x"), asked);
            assertThat(answer.code()).as(asked.toString()).isEqualTo("NotImplemented");
        }
        for (String query : List.of("versions=", "policy=", "acl=")) {
            assertThat(alice.ask("PUT", "/bucket", query, NOTHING, Map.of()).code())
                    .isEqualTo("NotImplemented");
        }
        assertThat(alice.ask("GET", "/bucket/asked").status()).isEqualTo(404);
        assertThat(alice.ask("GET", "/.reserved/scratch").code()).isEqualTo("InvalidBucketName");
        assertThat(alice.ask("GET", "/..").code()).isEqualTo("InvalidURI");
        assertThat(alice.ask("PUT", "/Bad_Name").code()).isEqualTo("InvalidBucketName");
    }
}
