// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.registry.access.Access;
import io.packing.registry.access.BasicAccess;
import io.packing.registry.access.Passwords;
import io.packing.registry.access.RegistryTokenKeys;
import io.packing.registry.access.Rights;
import io.packing.registry.access.TokenAccess;
import io.packing.registry.files.Layout;
import io.packing.registry.oci.Digest;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that a registry refuses with an answer of the specification. They harm neither the registry nor a browser. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileRequestsTest {
    private static final byte[] CONFIG = "{}".getBytes(StandardCharsets.UTF_8);
    /** As long as a line of a request may be. */
    private static final int LONG = 7_000;

    private final TestMount mount;
    private final RegistryServer server;
    private final RegistryClient client;

    HostileRequestsTest(@TempDir Path home) throws IOException {
        mount = TestMount.start(home);
        server = start(Access.OPEN);
        client = new RegistryClient(server.uri());
    }

    private RegistryServer start(Access access) throws IOException {
        return RegistryServer.start(
                TestRegistries.config("/registry", false), mount.files(), access, new SimpleMeterRegistry());
    }

    @AfterAll
    void stop() throws IOException {
        try (mount) {
            server.close();
        }
    }

    @Test
    void longDigestsNamesAndPathsAreRefusedAndNothingBreaks() throws Exception {
        List<String> answers = new ArrayList<>();
        for (String text : List.of("a", "a.", "a_", "a-", "a:", "a=", "/a", "0")) {
            String many = text.repeat(LONG / text.length());
            for (String path : List.of(
                    "/v2/a/blobs/" + many,
                    "/v2/a/blobs/sha256:" + many,
                    "/v2/a/blobs/x" + many + ":" + "0".repeat(64),
                    "/v2/a/manifests/" + many,
                    "/v2/a/manifests/sha256:" + many,
                    "/v2/a/referrers/" + many,
                    "/v2/a/_packing/lean/" + many,
                    "/v2/" + many + "/manifests/v1",
                    "/v2/" + many,
                    "/v2/a/tags/list?n=" + many,
                    "/v2/a/tags/list?last=" + many)) {
                int status = client.get(path).statusCode();
                if (status < 400 || status >= 500) {
                    answers.add("%d for %.60s".formatted(status, path));
                }
            }
            for (String query : List.of("digest=", "mount=", "digest=sha256:", "mount=x:")) {
                int status = client.ask("POST", "/v2/a/blobs/uploads/?" + query + many)
                        .statusCode();
                if (status < 400 || status >= 500) {
                    answers.add("%d for %s%.20s".formatted(status, query, many));
                }
            }
        }
        assertThat(answers).isEmpty();
        HttpResponse<byte[]> digest = client.get("/v2/a/blobs/" + "a+".repeat(LONG / 2) + "a:0");
        assertThat(RegistryClient.code(digest)).isEqualTo("DIGEST_INVALID");
    }

    private HttpResponse<byte[]> put(String type, String manifest) throws Exception {
        return client.ask(
                "PUT",
                "/v2/types/manifests/v1",
                manifest.getBytes(StandardCharsets.UTF_8),
                type.isEmpty() ? new String[0] : new String[] {"Content-Type", type});
    }

    @Test
    void aManifestIsOfATypeOfTheSpecificationOrRefused() throws Exception {
        for (String type : List.of("text/html", "application/json", "image/svg+xml", "application/xhtml+xml", "")) {
            HttpResponse<byte[]> refused = put(type, "{\"schemaVersion\":2,\"layers\":[]}");
            assertThat(refused.statusCode()).as(type).isEqualTo(400);
            assertThat(RegistryClient.code(refused)).as(type).isEqualTo("MANIFEST_INVALID");
            assertThat(new String(refused.body(), StandardCharsets.UTF_8)).contains(RegistryClient.MANIFEST);
        }
        assertThat(put("", "{\"mediaType\":\"text/html\"}").statusCode()).isEqualTo(400);
        assertThat(client.get("/v2/types/manifests/v1").statusCode()).isEqualTo(404);
        for (String type : List.of(
                RegistryClient.MANIFEST,
                "application/vnd.oci.image.index.v1+json",
                "application/vnd.docker.distribution.manifest.v2+json",
                "application/vnd.docker.distribution.manifest.list.v2+json")) {
            assertThat(put(type, "{\"mediaType\":\"%s\"}".formatted(type)).statusCode())
                    .as(type)
                    .isEqualTo(201);
            assertThat(client.get("/v2/types/manifests/v1").headers().firstValue("Content-Type"))
                    .hasValue(type);
        }
    }

    @Test
    void aManifestThatWasTakenWithAnotherTypeIsServedAsBytes() throws Exception {
        byte[] html = "{\"a\":\"<script>alert(1)</script>\"}".getBytes(StandardCharsets.UTF_8);
        Digest digest = RegistryClient.digest(html);
        Layout layout = new Layout(new FilePath("/registry"));
        try (PackingOutput out = mount.files().create(layout.content("older", digest))) {
            out.write("%s text/html\n".formatted(digest).getBytes(StandardCharsets.UTF_8));
            out.write(html);
        }
        HttpResponse<byte[]> answer = client.get("/v2/older/manifests/" + digest);
        assertThat(answer.body()).isEqualTo(html);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/octet-stream");
    }

    @Test
    void everyAnswerForbidsBrowsersToGuessItsType() throws Exception {
        client.push("sniffed", CONFIG);
        assertThat(client.tag("sniffed", "v1", RegistryClient.manifest(CONFIG)).statusCode())
                .isEqualTo(201);
        for (String path : List.of(
                "/v2/",
                "/v2/sniffed/blobs/" + RegistryClient.digest(CONFIG),
                "/v2/sniffed/manifests/v1",
                "/v2/sniffed/manifests/none",
                "/v2/sniffed/tags/list",
                "/v2/sniffed/referrers/" + RegistryClient.digest(CONFIG),
                "/v2/UPPER/tags/list",
                "/nothing",
                "/")) {
            assertThat(client.get(path).headers().firstValue("X-Content-Type-Options"))
                    .as(path)
                    .hasValue("nosniff");
        }
        assertThat(client.pull("sniffed", RegistryClient.digest(CONFIG))
                        .headers()
                        .firstValue("Content-Type"))
                .hasValue("application/octet-stream");
    }

    @Test
    void aManifestWithTextBehindItIsRefused() throws Exception {
        String manifest = "{\"mediaType\":\"%s\"}".formatted(RegistryClient.MANIFEST);
        for (String behind : List.of("x", "{}", "]", ",", "<html>")) {
            HttpResponse<byte[]> refused = put(RegistryClient.MANIFEST, manifest + behind);
            assertThat(refused.statusCode()).as(behind).isEqualTo(400);
            assertThat(RegistryClient.code(refused)).as(behind).isEqualTo("MANIFEST_INVALID");
        }
        assertThat(put(RegistryClient.MANIFEST, manifest + "\n").statusCode()).isEqualTo(201);
    }

    @Test
    void aDeepOrWideManifestIsRefused() throws Exception {
        String deep = "[".repeat(100) + "]".repeat(100);
        HttpResponse<byte[]> refused = put(RegistryClient.MANIFEST, "{\"annotations\":{\"a\":%s}}".formatted(deep));
        assertThat(RegistryClient.code(refused)).isEqualTo("MANIFEST_INVALID");
        String descriptor = "{\"digest\":\"%s\"}".formatted(RegistryClient.digest(CONFIG));
        String wide = (descriptor + ",").repeat(20_000) + descriptor;
        refused = put(RegistryClient.MANIFEST, "{\"layers\":[%s]}".formatted(wide));
        assertThat(RegistryClient.code(refused)).isEqualTo("MANIFEST_INVALID");
        assertThat(new String(refused.body(), StandardCharsets.UTF_8)).contains("at most 20,000");
    }

    /**
     * Returns the answer to a request whose headers name a host; the clients of Java's library do not let one choose
     * it.
     */
    private static String ask(URI registry, String... headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), registry.getPort())) {
            String request =
                    "GET /v2/ HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n".formatted(String.join("\r\n", headers));
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void clientsAreSentForTokensToTheRegistryWhateverTheirHeadersSay() throws Exception {
        BasicAccess nobody = new BasicAccess(Passwords.parse(List.of()), Rights.parse(List.of()));
        RegistryTokenKeys keys = RegistryTokenKeys.parse(List.of("k".repeat(40)));
        TokenAccess access = new TokenAccess(nobody, keys, Clock.systemUTC(), Optional.empty());
        try (RegistryServer asking = start(access)) {
            for (String host : List.of("evil.example", "evil.example:443", "127.0.0.1:1", "localhost")) {
                String answer = ask(
                        asking.uri(),
                        "Host: " + host,
                        "X-Forwarded-Host: evil.example",
                        "X-Forwarded-Proto: https",
                        "Forwarded: host=evil.example");
                assertThat(answer)
                        .contains("401")
                        .contains("realm=\"%s/token\"".formatted(asking.uri()))
                        .doesNotContain("evil");
            }
            assertThat(ask(asking.uri().resolve("/"), "Host: a\",service=\"b")).doesNotContain("service=\"b");
        }
        TokenAccess told = new TokenAccess(nobody, keys, Clock.systemUTC(), Optional.of("https://proxy.example/token"));
        try (RegistryServer asking = start(told)) {
            assertThat(ask(asking.uri(), "Host: evil.example")).contains("realm=\"https://proxy.example/token\"");
        }
    }
}
