package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.registry.access.BasicAccess;
import io.packing.registry.access.Passwords;
import io.packing.registry.access.Rights;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.http.HttpFront;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A registry over TLS whose users have rights. */
class RegistryProtectionTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    private Path home;

    private Path keystore() throws IOException, InterruptedException {
        Path keystore = home.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "registry",
                        "-keyalg",
                        "RSA",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keystore.toString(),
                        "-storepass",
                        PASSWORD,
                        "-dname",
                        "CN=registry",
                        "-ext",
                        "san=ip:127.0.0.1")
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor()).as("keytool").isZero();
        return keystore;
    }

    private static HttpClient trusting(Path keystore) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keystore)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("registry", keys.getCertificate("registry"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private static HttpResponse<byte[]> ask(HttpClient client, URI uri, String method, String user) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
        if (!user.isEmpty()) {
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
        }
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }

    @Test
    void usersDoWhatTheyMayOverTls() throws Exception {
        Path keystore = keystore();
        String line = "alice:" + BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(4, "secret".toCharArray());
        BasicAccess access =
                new BasicAccess(Passwords.parse(List.of(line)), Rights.parse(List.of("alice team/* pull,push")));
        RegistryConfig config = new RegistryConfig(
                "127.0.0.1",
                0,
                new FilePath("/registry"),
                false,
                Optional.empty(),
                ReadAhead.defaultBytes(),
                Optional.of(new HttpFront.Keys(keystore, PASSWORD)));
        try (TestMount mount = TestMount.start(home.resolve("mount"));
                RegistryServer server =
                        RegistryServer.start(config, mount.files(), access, new SimpleMeterRegistry())) {
            URI registry = server.uri();
            assertThat(registry.getScheme()).isEqualTo("https");
            HttpClient client = trusting(keystore);
            HttpResponse<byte[]> unknown = ask(client, registry.resolve("/v2/"), "GET", "");
            assertThat(unknown.statusCode()).isEqualTo(401);
            assertThat(unknown.headers().firstValue("WWW-Authenticate"))
                    .hasValueSatisfying(value -> assertThat(value).startsWith("Basic "));
            assertThat(RegistryClient.code(unknown)).isEqualTo("UNAUTHORIZED");
            assertThat(ask(client, registry.resolve("/v2/"), "GET", "alice:wrong")
                            .statusCode())
                    .isEqualTo(401);
            assertThat(ask(client, registry.resolve("/v2/"), "GET", "alice:secret")
                            .statusCode())
                    .isEqualTo(200);
            URI begin = registry.resolve("/v2/team/a/blobs/uploads/");
            assertThat(ask(client, begin, "POST", "alice:secret").statusCode()).isEqualTo(202);
            HttpResponse<byte[]> denied =
                    ask(client, registry.resolve("/v2/other/blobs/uploads/"), "POST", "alice:secret");
            assertThat(denied.statusCode()).isEqualTo(403);
            assertThat(RegistryClient.code(denied)).isEqualTo("DENIED");
            assertThat(ask(client, registry.resolve("/v2/team/a/manifests/v1"), "DELETE", "alice:secret")
                            .statusCode())
                    .isEqualTo(403);
        }
    }
}
