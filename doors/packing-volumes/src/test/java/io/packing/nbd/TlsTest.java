// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a certificate: it answers no option without TLS, and forgets what a client sent before TLS. */
@Tag("process")
class TlsTest {
    private static final String PASSWORD = "only-of-a-test";
    private static final int BOTH = NbdNumbers.FIXED_NEWSTYLE | NbdNumbers.NO_ZEROES;

    @TempDir
    Path home;

    private Path keystore = Path.of("");
    private NbdServer server;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        keystore = home.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "server",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keystore.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertEquals(0, keytool.waitFor());
        server = NbdServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new MemoryDevice(1 << 20, false),
                Optional.of(NbdKeys.read(keystore, PASSWORD)));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private TestNbdClient greeted() throws IOException {
        TestNbdClient client = new TestNbdClient(server.port());
        client.greet(BOTH);
        return client;
    }

    private SSLSocket wrapped(TestNbdClient client) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keystore)) {
            trusted.load(in, PASSWORD.toCharArray());
        }
        KeyStore certificates = KeyStore.getInstance("PKCS12");
        certificates.load(null, null);
        certificates.setCertificateEntry("server", trusted.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(certificates);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(client.socket, "localhost", server.port(), true);
        socket.startHandshake();
        return socket;
    }

    @Test
    void aClientWithTlsReads() throws Exception {
        try (TestNbdClient client = greeted()) {
            assertEquals(
                    NbdNumbers.REP_ACK,
                    client.option(NbdNumbers.OPT_STARTTLS).get(0).type());
            try (TestNbdClient within = new TestNbdClient(wrapped(client))) {
                assertEquals(
                        NbdNumbers.REP_ERR_INVALID,
                        within.option(NbdNumbers.OPT_STARTTLS).get(0).type());
                assertEquals(
                        3,
                        within.option(NbdNumbers.OPT_GO, TestNbdClient.name("")).size());
                assertEquals(0, within.errorOf(0, NbdNumbers.CMD_WRITE, 0, 4, "text".getBytes(UTF_8)));
                assertEquals("text", new String(within.read(0, 0, 4), UTF_8));
            }
        }
    }

    @Test
    void withoutTlsNothingIsTold() throws IOException {
        try (TestNbdClient client = greeted()) {
            for (int option :
                    new int[] {NbdNumbers.OPT_LIST, NbdNumbers.OPT_GO, NbdNumbers.OPT_STRUCTURED_REPLY, 4711}) {
                assertEquals(
                        NbdNumbers.REP_ERR_TLS_REQD,
                        client.option(option).get(0).type());
            }
            client.send(NbdNumbers.OPT_EXPORT_NAME);
            assertEquals(-1, client.in.read());
        }
    }

    @Test
    void anOptionThatWasSentBeforeTlsIsNotReadWithin() throws IOException {
        try (TestNbdClient client = greeted()) {
            client.send(NbdNumbers.OPT_STARTTLS);
            assertThrows(IOException.class, () -> {
                // The server takes these bytes for a record of TLS, and ends.
                assertEquals(
                        NbdNumbers.REP_ACK,
                        client.option(NbdNumbers.OPT_LIST).get(0).type());
                if (client.in.readLong() == NbdNumbers.OPTION_REPLY_MAGIC) {
                    throw new AssertionError("an option of before");
                }
                client.in.readFully(new byte[1 << 20]);
            });
        }
    }

    @Test
    void aWrongPasswordNamesTheFile() {
        IOException failure = assertThrows(IOException.class, () -> NbdKeys.read(keystore, "wrong"));
        assertTrue(String.valueOf(failure.getMessage()).contains("keys.p12"));
    }
}
