// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.registry.access.AccessFiles;
import io.packing.registry.access.BasicAccess;
import io.packing.registry.access.Passwords;
import io.packing.registry.access.RegistryTokenKeys;
import io.packing.registry.access.Rights;
import io.packing.registry.access.TokenAccess;
import io.packing.registry.web.HttpFront;
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
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A registry over TLS whose users have rights. */
@Timeout(120)
@Tag("process")
class RegistryProtectionTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    private Path home;

    private Path keystore() throws IOException, InterruptedException {
        return keystore("keys.p12", "registry");
    }

    private Path keystore(String file, String name) throws IOException, InterruptedException {
        Path keystore = home.resolve(file);
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
                        "CN=" + name,
                        "-ext",
                        "san=ip:127.0.0.1")
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor()).as("keytool").isZero();
        return keystore;
    }

    private static String line(String user, String password) {
        return user + ":" + BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(4, password.toCharArray());
    }

    private static RegistryOptions config(Path keystore) {
        return TestRegistries.config("/registry", false).withTls(Optional.of(new HttpFront.Keys(keystore, PASSWORD)));
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
        BasicAccess access = new BasicAccess(
                Passwords.parse(List.of(line("alice", "secret"))), Rights.parse(List.of("alice team/* pull,push")));
        try (TestMount mount = TestMount.start(home.resolve("mount"));
                RegistryServer server =
                        RegistryServer.start(config(keystore), mount.files(), access, new SimpleMeterRegistry())) {
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

    private static String challenged(HttpResponse<byte[]> answer) {
        assertThat(answer.statusCode()).isEqualTo(401);
        return answer.headers().firstValue("WWW-Authenticate").orElseThrow();
    }

    private static HttpResponse<byte[]> bearing(HttpClient client, URI uri, String method, String token)
            throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .header("Authorization", "Bearer " + token)
                        .build(),
                BodyHandlers.ofByteArray());
    }

    private static String token(HttpResponse<byte[]> answer) throws IOException {
        assertThat(answer.statusCode()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.body()).get("token").asText();
    }

    @Test
    void aClientThatIsAskedForATokenGetsItWhereItIsToldTo() throws Exception {
        Path keystore = keystore();
        BasicAccess basic = new BasicAccess(
                Passwords.parse(List.of(line("alice", "secret"))),
                Rights.parse(List.of("alice team/* pull,push", "* public/* pull")));
        TokenAccess access = new TokenAccess(
                basic, RegistryTokenKeys.parse(List.of("k".repeat(40))), Clock.systemUTC(), Optional.empty());
        try (TestMount mount = TestMount.start(home.resolve("mount"));
                RegistryServer server =
                        RegistryServer.start(config(keystore), mount.files(), access, new SimpleMeterRegistry())) {
            URI registry = server.uri();
            HttpClient client = trusting(keystore);
            assertThat(challenged(ask(client, registry.resolve("/v2/"), "GET", "")))
                    .isEqualTo("Bearer realm=\"%s/token\",service=\"packing-registry\"".formatted(registry));
            URI push = registry.resolve("/v2/team/a/blobs/uploads/");
            String scope = "repository:team/a:pull,push";
            assertThat(challenged(ask(client, push, "POST", ""))).endsWith(",scope=\"%s\"".formatted(scope));
            URI tokens = registry.resolve("/token?service=packing-registry&scope=" + scope);
            assertThat(challenged(ask(client, tokens, "GET", "alice:wrong"))).startsWith("Basic ");
            String nobodys = token(ask(client, tokens, "GET", ""));
            assertThat(bearing(client, push, "POST", nobodys).statusCode()).isEqualTo(401);
            String alices = token(ask(client, tokens, "GET", "alice:secret"));
            assertThat(bearing(client, registry.resolve("/v2/"), "GET", alices).statusCode())
                    .isEqualTo(200);
            assertThat(bearing(client, push, "POST", alices).statusCode()).isEqualTo(202);
            assertThat(bearing(client, push, "POST", alices + "A").statusCode()).isEqualTo(401);
            HttpResponse<byte[]> other = bearing(client, registry.resolve("/v2/team/b/manifests/v1"), "GET", alices);
            assertThat(challenged(other)).endsWith(",scope=\"repository:team/b:pull\"");
            assertThat(bearing(client, registry.resolve("/v2/team/a/manifests/v1"), "DELETE", alices)
                            .statusCode())
                    .isEqualTo(403);
            assertThat(ask(client, push, "POST", "alice:secret").statusCode()).isEqualTo(202);
            assertThat(ask(client, tokens, "POST", "alice:secret").statusCode()).isEqualTo(405);
        }
    }

    /** Checks the token specification: a client that needs a token for more learns the scopes. */
    @Test
    void aMountFromAnotherRepositoryAsksForATokenForBothWhenTheUserMayReadIt() throws Exception {
        Path keystore = keystore();
        BasicAccess basic = new BasicAccess(
                Passwords.parse(List.of(line("alice", "secret"), line("bob", "secret"))),
                Rights.parse(List.of("alice team/* pull,push", "bob team/b pull,push")));
        TokenAccess access = new TokenAccess(
                basic, RegistryTokenKeys.parse(List.of("k".repeat(40))), Clock.systemUTC(), Optional.empty());
        try (TestMount mount = TestMount.start(home.resolve("mount"));
                RegistryServer server =
                        RegistryServer.start(config(keystore), mount.files(), access, new SimpleMeterRegistry())) {
            URI registry = server.uri();
            HttpClient client = trusting(keystore);
            String digest = RegistryClient.digest(new byte[0]).toString();
            assertThat(ask(
                                    client,
                                    registry.resolve("/v2/team/a/blobs/uploads/?digest=" + digest),
                                    "POST",
                                    "alice:secret")
                            .statusCode())
                    .isEqualTo(201);
            URI wanted = registry.resolve("/v2/team/b/blobs/uploads/?mount=%s&from=team/a".formatted(digest));
            String scopes = "repository:team/b:pull,push repository:team/a:pull";
            String narrow = "/token?scope=repository:team/b:pull,push";
            String wide = "/token?scope=" + scopes.replace(" ", "%20");
            String alices = token(ask(client, registry.resolve(narrow), "GET", "alice:secret"));
            assertThat(challenged(bearing(client, wanted, "POST", alices)))
                    .endsWith(",scope=\"%s\",error=\"insufficient_scope\"".formatted(scopes));
            String forBoth = token(ask(client, registry.resolve(wide), "GET", "alice:secret"));
            assertThat(bearing(client, wanted, "POST", forBoth).statusCode()).isEqualTo(201);
            for (String scope : List.of(narrow, wide)) {
                String bobs = token(ask(client, registry.resolve(scope), "GET", "bob:secret"));
                assertThat(bearing(client, wanted, "POST", bobs).statusCode())
                        .as("bob, who may not read the source, with " + scope)
                        .isEqualTo(202);
            }
        }
    }

    @Test
    void usersRightsAndCertificatesAreReadAgainWhenTheyChange() throws Exception {
        Path keystore = keystore();
        Path users = Files.write(home.resolve("users"), List.of(line("alice", "secret")));
        Path rights = Files.writeString(home.resolve("rights"), "alice team/* pull");
        BasicAccess access = new BasicAccess(new AccessFiles(users, Optional.of(rights)));
        try (TestMount mount = TestMount.start(home.resolve("mount"));
                RegistryServer server =
                        RegistryServer.start(config(keystore), mount.files(), access, new SimpleMeterRegistry())) {
            HttpClient client = trusting(keystore);
            URI begin = server.uri().resolve("/v2/team/a/blobs/uploads/");
            assertThat(ask(client, begin, "POST", "alice:secret").statusCode()).isEqualTo(403);
            Files.writeString(rights, "alice team/* pull,push");
            assertThat(ask(client, begin, "POST", "alice:secret").statusCode()).isEqualTo(202);
            Files.writeString(rights, "this is no right");
            assertThat(ask(client, begin, "POST", "alice:secret").statusCode())
                    .as("files that cannot be read change nothing")
                    .isEqualTo(202);
            Files.writeString(rights, "bob * pull,push");
            Files.write(users, List.of(line("bob", "other")));
            assertThat(ask(client, begin, "POST", "alice:secret").statusCode()).isEqualTo(401);
            assertThat(ask(client, begin, "POST", "bob:other").statusCode()).isEqualTo(202);
            Path renewed = keystore("renewed.p12", "renewed");
            HttpClient trustsRenewed = trusting(renewed);
            Files.move(renewed, keystore, StandardCopyOption.REPLACE_EXISTING);
            for (boolean done = false; !done; ) {
                try {
                    done = ask(trustsRenewed, begin, "POST", "bob:other").statusCode() == 202;
                } catch (SSLException e) {
                    Thread.onSpinWait();
                }
            }
        }
    }
}
