// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.access.Access;
import io.packing.registry.access.BasicAccess;
import io.packing.registry.access.Passwords;
import io.packing.registry.access.RegistryTokenKeys;
import io.packing.registry.access.Rights;
import io.packing.registry.access.TokenAccess;
import io.packing.registry.files.RegistryFiles;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The list of all repositories. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CatalogTest {
    private static final byte[] CONFIG = "{}".getBytes(StandardCharsets.UTF_8);
    /** In the order of their parts. */
    private static final List<String> ALL =
            List.of("public/x", "team", "team/a", "team/a/deep", "team/b", "team-other", "team.x");

    private final TestMount mount;
    private final RegistryServer open;
    private final RegistryClient client;

    CatalogTest(@TempDir Path home) throws IOException {
        mount = TestMount.start(home);
        open = start(Access.OPEN);
        client = new RegistryClient(open.uri());
    }

    private RegistryServer start(Access access) throws IOException {
        return start(mount.files(), access);
    }

    private static RegistryServer start(RegistryFiles files, Access access) throws IOException {
        return RegistryServer.start(
                TestRegistries.config("/registry", false), files, access, new SimpleMeterRegistry());
    }

    @BeforeAll
    void push() throws Exception {
        for (String repository :
                List.of("team.x", "team/b", "team", "team-other", "public/x", "team/a/deep", "team/a")) {
            push(repository);
        }
    }

    private void push(String repository) throws Exception {
        assertThat(client.push(repository, CONFIG).statusCode()).isEqualTo(201);
        assertThat(client.tag(repository, "v1", RegistryClient.manifest(CONFIG)).statusCode())
                .isEqualTo(201);
    }

    @AfterAll
    void stop() throws IOException {
        try (mount) {
            open.close();
        }
    }

    private static List<String> names(HttpResponse<byte[]> answer) throws IOException {
        assertThat(answer.statusCode()).isEqualTo(200);
        List<String> names = new ArrayList<>();
        for (JsonNode name : new ObjectMapper().readTree(answer.body()).get("repositories")) {
            names.add(name.asText());
        }
        return names;
    }

    /** Follows the links from one page to the next. */
    private static List<String> follow(RegistryClient from, String first, int most) throws Exception {
        List<String> names = new ArrayList<>();
        Optional<String> next = Optional.of(first);
        while (next.isPresent()) {
            HttpResponse<byte[]> page = from.get(next.get());
            assertThat(names(page)).hasSizeLessThanOrEqualTo(most);
            names.addAll(names(page));
            next = page.headers().firstValue("Link").map(link -> {
                assertThat(link).matches("</v2/_catalog\\?n=\\d+&last=[^>]+>; rel=\"next\"");
                return link.substring(1, link.indexOf('>'));
            });
        }
        return names;
    }

    @Test
    void pagesOfAnySizeListEachRepositoryOnce() throws Exception {
        assertThat(names(client.get("/v2/_catalog"))).isEqualTo(ALL);
        for (int n = 1; n <= ALL.size() + 1; n++) {
            assertThat(follow(client, "/v2/_catalog?n=" + n, n)).as("n=%d", n).isEqualTo(ALL);
        }
        assertThat(names(client.get("/v2/_catalog?last=team/a"))).isEqualTo(ALL.subList(3, ALL.size()));
        assertThat(names(client.get("/v2/_catalog?last=team/aa/none"))).isEqualTo(ALL.subList(4, ALL.size()));
        assertThat(names(client.get("/v2/_catalog?n=0"))).isEmpty();
    }

    @Test
    void pagesThatCannotBeAreRefused() throws Exception {
        assertThat(RegistryClient.code(client.get("/v2/_catalog?n=-1"))).isEqualTo("SIZE_INVALID");
        assertThat(RegistryClient.code(client.get("/v2/_catalog?last=../x"))).isEqualTo("UNSUPPORTED");
        assertThat(RegistryClient.code(client.ask("DELETE", "/v2/_catalog"))).isEqualTo("UNSUPPORTED");
    }

    @Test
    void aRepositoryIsListedWhileItHasAManifest() throws Exception {
        client.push("aa", CONFIG);
        assertThat(names(client.get("/v2/_catalog"))).isEqualTo(ALL);
        push("aa");
        assertThat(names(client.get("/v2/_catalog?n=1"))).containsExactly("aa");
        String manifest = "/v2/aa/manifests/" + RegistryClient.digest(RegistryClient.manifest(CONFIG));
        assertThat(client.ask("DELETE", manifest).statusCode()).isEqualTo(202);
        assertThat(names(client.get("/v2/_catalog"))).isEqualTo(ALL);
    }

    /** Files of the mount, whose listings wait until the test lets them go on. */
    private record HeldListings(RegistryFiles files, Semaphore begun, CountDownLatch released)
            implements RegistryFiles {
        @Override
        public long packedBytes() {
            return files.packedBytes();
        }

        @Override
        public Optional<FileStatus> stat(FilePath path) throws IOException {
            return files.stat(path);
        }

        @Override
        public PackingInput open(FilePath path) throws IOException {
            return files.open(path);
        }

        @Override
        public PackingOutput create(FilePath path) throws IOException {
            return files.create(path);
        }

        @Override
        public Optional<List<FileStatus>> list(FilePath directory, String after, int limit) throws IOException {
            begun.release();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException("interrupted");
            }
            return files.list(directory, after, limit);
        }

        @Override
        public Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException {
            return files.extended(path);
        }

        @Override
        public VectorResult apply(OperationVector vector) throws IOException {
            return files.apply(vector);
        }
    }

    /** Each list may look through all repositories. */
    @Test
    void clientsBeyondTwoThatListAreAskedToComeBack() throws Exception {
        HeldListings held = new HeldListings(mount.files(), new Semaphore(0), new CountDownLatch(1));
        try (RegistryServer server = start(held, Access.OPEN)) {
            RegistryClient asked = new RegistryClient(server.uri());
            List<CompletableFuture<List<String>>> lists = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                lists.add(CompletableFuture.supplyAsync(() -> {
                    try {
                        return names(asked.get("/v2/_catalog"));
                    } catch (IOException | InterruptedException e) {
                        throw new CompletionException(e);
                    }
                }));
            }
            held.begun().acquire(2);
            HttpResponse<byte[]> third = asked.get("/v2/_catalog");
            assertThat(third.statusCode()).isEqualTo(503);
            assertThat(third.headers().firstValue("Retry-After")).isPresent();
            held.released().countDown();
            for (CompletableFuture<List<String>> list : lists) {
                assertThat(list.join()).isEqualTo(ALL);
            }
            assertThat(names(asked.get("/v2/_catalog"))).isEqualTo(ALL);
        }
    }

    private static BasicAccess users() {
        String hash = BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(4, "secret".toCharArray());
        return new BasicAccess(
                Passwords.parse(List.of("alice:" + hash, "bob:" + hash)),
                Rights.parse(List.of("alice team/* pull,push", "bob team-other push", "* public/* pull")));
    }

    private static String[] basic(String pair) {
        return new String[] {
            "Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))
        };
    }

    @Test
    void aUserSeesTheRepositoriesThatTheUserMayPullFromAndNoOthers() throws Exception {
        try (RegistryServer server = start(users())) {
            RegistryClient asked = new RegistryClient(server.uri());
            assertThat(names(asked.get("/v2/_catalog", basic("alice:secret"))))
                    .containsExactly("public/x", "team/a", "team/a/deep", "team/b");
            HttpResponse<byte[]> page = asked.get("/v2/_catalog?n=1", basic("alice:secret"));
            assertThat(names(page)).containsExactly("public/x");
            assertThat(page.headers().firstValue("Link"))
                    .hasValueSatisfying(link -> assertThat(link).contains("last=public%2Fx"));
            assertThat(names(asked.get("/v2/_catalog", basic("bob:secret")))).containsExactly("public/x");
            assertThat(names(asked.get("/v2/_catalog"))).containsExactly("public/x");
            assertThat(asked.get("/v2/_catalog", basic("alice:wrong")).statusCode())
                    .isEqualTo(401);
        }
    }

    private static String[] token(RegistryClient asked, String scope, String... headers) throws Exception {
        HttpResponse<byte[]> answer = asked.get("/token?scope=" + scope, headers);
        return new String[] {
            "Authorization",
            "Bearer " + new ObjectMapper().readTree(answer.body()).get("token").asText()
        };
    }

    @Test
    void aTokenListsRepositoriesOnlyIfItIsForTheCatalog() throws Exception {
        TokenAccess access = new TokenAccess(
                users(), RegistryTokenKeys.parse(List.of("k".repeat(40))), Clock.systemUTC(), Optional.empty());
        try (RegistryServer server = start(access)) {
            RegistryClient asked = new RegistryClient(server.uri());
            HttpResponse<byte[]> unknown = asked.get("/v2/_catalog");
            assertThat(unknown.statusCode()).isEqualTo(401);
            assertThat(unknown.headers().firstValue("WWW-Authenticate"))
                    .hasValueSatisfying(value -> assertThat(value).endsWith(",scope=\"registry:catalog:*\""));
            String[] narrow = token(asked, "repository:team/a:pull", basic("alice:secret"));
            assertThat(asked.get("/v2/_catalog", narrow).statusCode()).isEqualTo(401);
            String[] wide = token(asked, "registry:catalog:*", basic("alice:secret"));
            assertThat(names(asked.get("/v2/_catalog", wide)))
                    .containsExactly("public/x", "team/a", "team/a/deep", "team/b");
            assertThat(asked.get("/v2/team/a/manifests/v1", wide).statusCode()).isEqualTo(401);
            assertThat(names(asked.get("/v2/_catalog", token(asked, "registry:catalog:*"))))
                    .containsExactly("public/x");
            assertThat(names(asked.get("/v2/_catalog", basic("bob:secret")))).containsExactly("public/x");
        }
    }
}
