// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.storeservers.AwsServices.Call;
import io.packing.storeservers.AwsServices.Service;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The headers and the endpoints of requests under the options of the store. */
@NullUnmarked
@Timeout(120)
class StoreWayTest {
    private static final Map<String, String> KEYS = Map.of("packing.s3.access.key", "a", "packing.s3.secret.key", "s");
    private static final String SSE = "x-amz-server-side-encryption";
    private static final String KMS_KEY = "arn:aws:kms:eu-west-1:123456789012:key/k";

    @TempDir
    private Path home;

    private AwsProcess process;

    @BeforeEach
    void start() throws IOException {
        process = new AwsProcess(home);
    }

    @AfterEach
    void stop() {
        process.close();
    }

    private static Map<String, String> with(String... pairs) {
        Map<String, String> all = new HashMap<>(KEYS);
        for (int i = 0; i < pairs.length; i += 2) {
            all.put(pairs[i], pairs[i + 1]);
        }
        return all;
    }

    /** Writes an object by one PUT and one in parts, lists, reads and deletes. */
    private List<Call> use(Map<String, String> options) throws IOException {
        Map<String, String> all = new HashMap<>(options);
        all.put("packing.s3.put.single.max", "5MB");
        Path large = Files.write(home.resolve("large"), new byte[6 << 20]);
        try (ObjectStore store = process.open(all)) {
            store.put("small", ByteBuffer.wrap(new byte[10]), PutCondition.IF_ABSENT);
            store.put("large", large, PutCondition.IF_ABSENT);
            assertThat(store.list("", "", 10)).isEmpty();
            assertThat(store.head("none")).isEmpty();
        }
        return process.services.calls(Service.STORE);
    }

    private static boolean creates(Call call) {
        return call.text().matches("PUT [^?]*small.*|POST .*[?&]uploads.*");
    }

    @Test
    void objectsAskForTheEncryptionOfTheOptionsAndOtherRequestsDoNot() throws IOException {
        List<Call> calls = use(with(
                "packing.s3.sse.mode",
                "aws:kms",
                "packing.s3.sse.kms.key",
                KMS_KEY,
                "packing.s3.sse.bucket.key",
                "true"));
        assertThat(calls.stream().filter(StoreWayTest::creates)).hasSize(2).allSatisfy(call -> {
            assertThat(call.headers())
                    .containsEntry(SSE, "aws:kms")
                    .containsEntry(SSE + "-aws-kms-key-id", KMS_KEY)
                    .containsEntry(SSE + "-bucket-key-enabled", "true");
            assertThat(call.headers().get("authorization")).as("signed").contains(SSE);
        });
        assertThat(calls.stream().filter(Predicate.not(StoreWayTest::creates)))
                .isNotEmpty()
                .allSatisfy(call -> assertThat(call.headers()).doesNotContainKey(SSE));
    }

    @ParameterizedTest
    @CsvSource({"AES256", "aws:kms", "aws:kms:dsse"})
    void eachEncryptionIsSentByItsName(String name) throws IOException {
        assertThat(use(with("packing.s3.sse.mode", name)).stream().filter(StoreWayTest::creates))
                .hasSize(2)
                .allSatisfy(call ->
                        assertThat(call.headers()).containsEntry(SSE, name).doesNotContainKey(SSE + "-aws-kms-key-id"));
    }

    @Test
    void withoutTheOptionsTheBucketDecides() throws IOException {
        assertThat(use(KEYS))
                .allSatisfy(call -> assertThat(call.headers())
                        .doesNotContainKeys(SSE, SSE + "-bucket-key-enabled", "x-amz-request-payer"));
    }

    @Test
    void whoPaysIsSaidWithEveryRequest() throws IOException {
        assertThat(use(with("packing.s3.requester.pays", "true")))
                .hasSizeGreaterThan(5)
                .allSatisfy(call -> assertThat(call.headers()).containsEntry("x-amz-request-payer", "requester"));
    }

    /** A proxy that notes where it is asked to connect to, and connects nowhere. */
    private static final class NotingProxy implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        private final List<String> asked = new CopyOnWriteArrayList<>();
        private final Thread thread = new Thread(this::serve, "noting-proxy");

        NotingProxy() throws IOException {
            thread.setDaemon(true);
            thread.start();
        }

        private void serve() {
            while (!listener.isClosed()) {
                try (Socket client = listener.accept()) {
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
                    asked.add(String.valueOf(in.readLine()));
                    client.getOutputStream()
                            .write("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    // The client has left, or the proxy is closed.
                }
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "packing.s3.requester.pays, CONNECT bucket.s3.eu-west-1.amazonaws.com:443",
        "packing.s3.fips, CONNECT bucket.s3-fips.us-east-1.amazonaws.com:443",
        "packing.s3.dualstack, CONNECT bucket.s3.dualstack.eu-west-1.amazonaws.com:443",
    })
    void theEndpointOfAwsIsThatOfTheOptionsAndIsReachedThroughTheProxy(String option, String connect)
            throws IOException {
        try (NotingProxy proxy = new NotingProxy()) {
            Map<String, String> options = with(
                    "packing.store",
                    "s3://bucket/p",
                    "packing.s3.region",
                    option.endsWith("fips") ? "us-east-1" : "eu-west-1",
                    "packing.s3.retry.timeout",
                    "1s",
                    "packing.s3.proxy",
                    "http://127.0.0.1:" + proxy.listener.getLocalPort(),
                    option,
                    "true");
            assertThatIOException().isThrownBy(() -> ObjectStores.open(StoreOptions.from(options)));
            assertThat(proxy.asked)
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line).startsWith(connect));
        }
    }

    @Test
    void theTokenServiceIsReachedThroughTheProxyToo() throws IOException {
        process.webIdentity();
        process.set("aws.endpointUrlSts", "https://sts.invalid");
        try (NotingProxy proxy = new NotingProxy()) {
            assertThatIOException()
                    .isThrownBy(() -> process.open(Map.of(
                            "packing.s3.retry.timeout",
                            "1s",
                            "packing.s3.proxy",
                            "http://127.0.0.1:" + proxy.listener.getLocalPort())))
                    .withMessageContaining(AwsProcess.ROLE);
            assertThat(proxy.asked)
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line).startsWith("CONNECT sts.invalid:443"));
        }
    }

    @Test
    void aStoreInPlainHttpIsReachedThroughTheProxy() throws IOException {
        Map<String, String> options = with(
                "packing.s3.endpoint",
                "http://store.invalid:9000",
                "packing.s3.proxy",
                process.services.endpoint().toString());
        process.open(options).close();
        assertThat(process.services.calls(Service.STORE))
                .extracting(Call::text)
                .containsExactly("HEAD http://store.invalid:9000/bucket");
    }

    private static HttpsServer https(IssuedCertificate certificate) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        try (InputStream in = Files.newInputStream(certificate.certificate())) {
            Certificate[] chain = {CertificateFactory.getInstance("X.509").generateCertificate(in)};
            String pem = Files.readString(certificate.key()).replaceAll("-----[A-Z ]*-----|\\s", "");
            PrivateKey key = KeyFactory.getInstance("EC")
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
            keys.setKeyEntry("key", key, new char[0], chain);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    @Test
    void aStoreOfAnAuthorityOfOnesOwnIsBelievedByTheFileAndElseNot() throws Exception {
        TestAuthority authority = TestAuthority.create(home.resolve("ca"), "own", Instant.now());
        HttpsServer server = https(authority.issue("store", "CN=store"));
        try {
            String endpoint = "https://127.0.0.1:" + server.getAddress().getPort();
            assertThatIOException()
                    .isThrownBy(() -> process.open(with("packing.s3.endpoint", endpoint)))
                    .withMessageContaining("the certificate of the store is not trusted")
                    .withMessageContaining("packing.s3.ca.file");
            process.open(with(
                            "packing.s3.endpoint",
                            endpoint,
                            "packing.s3.ca.file",
                            authority.certificate().toString()))
                    .close();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aFileWithoutAuthoritiesIsRefusedWithItsOption() throws IOException {
        Path none = Files.writeString(home.resolve("none.pem"), "");
        for (Path file : List.of(none, home.resolve("gone.pem"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> process.open(with("packing.s3.ca.file", file.toString())))
                    .withMessageContaining("packing.s3.ca.file")
                    .withMessageContaining(file.toString());
        }
    }

    @Test
    void optionsThatContradictEachOtherAreRefused() {
        for (Map<String, String> wrong : List.of(
                with("packing.s3.sse.mode", "rot13"),
                with("packing.s3.sse.kms.key", KMS_KEY),
                with("packing.s3.sse.mode", "aws:kms", "packing.s3.sse.kms.key", "a\r\nx-amz-acl: public-read"),
                with("packing.s3.sse.mode", "AES256", "packing.s3.sse.bucket.key", "true"),
                with("packing.s3.fips", "true"),
                with("packing.s3.dualstack", "true"),
                with("packing.s3.proxy", "http://user:password@127.0.0.1:1"),
                with("packing.s3.proxy", "proxy:3128"))) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .as("%s", wrong)
                    .isThrownBy(() -> process.options(wrong))
                    .withMessageContaining("packing.s3.")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("password@"));
        }
    }
}
