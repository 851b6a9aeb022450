// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.durable.DirectoryInUseException;
import io.packing.registry.RegistryClient;
import io.packing.registry.RegistryOptions;
import io.packing.registry.RegistryServer;
import io.packing.registry.TestMount;
import io.packing.registry.TestTar;
import io.packing.registry.access.Access;
import io.packing.registry.dedup.DedupLimits;
import io.packing.registry.dedup.LeanLayers;
import io.packing.registry.oci.Digest;
import io.packing.seed.Seed;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Images that are pulled without the files that were pulled before. */
@Timeout(120)
class ImagePullTest {
    private static final byte[] CONFIG = "{}".getBytes(StandardCharsets.UTF_8);
    private static final int FILES = 40;
    private static final int NEW_FILES = 4;

    @TempDir
    private Path home;

    private TestMount mount;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private RegistryServer server;
    private RegistryClient client;
    private final byte[] older = tar(0, FILES);
    private final byte[] newer = tar(NEW_FILES, FILES + NEW_FILES);
    private int pulls;

    @BeforeEach
    void start() throws Exception {
        mount = TestMount.start(home.resolve("mount"));
        server = RegistryServer.start(
                RegistryOptions.local(new FilePath("/registry")).withDedup(Optional.of(DedupLimits.DEFAULT)),
                mount.files(),
                Access.OPEN,
                meters);
        client = new RegistryClient(server.uri());
        push("older", older);
        push("newer", newer);
        server.awaitPushed();
    }

    @AfterEach
    void stop() throws IOException {
        try (TestMount closed = mount) {
            assertThat(closed).isNotNull();
            server.close();
        }
    }

    /** Returns a layer of files that have numbers, each with bytes of its own. */
    private static byte[] tar(int from, int to) {
        TestTar tar = new TestTar();
        for (int i = from; i < to; i++) {
            SplittableRandom random = new SplittableRandom(Seed.value() + i);
            byte[] bytes = new byte[i % 10 == 9 ? 1_500_000 : 600 + random.nextInt(20_000)];
            random.nextBytes(bytes);
            tar.file("file-" + i, bytes);
        }
        return tar.end();
    }

    private void push(String repository, byte[] layer) throws Exception {
        assertThat(client.push(repository, CONFIG).statusCode()).isEqualTo(201);
        assertThat(client.push(repository, layer).statusCode()).isEqualTo(201);
        assertThat(client.tag(repository, "v1", RegistryClient.manifest(CONFIG, layer))
                        .statusCode())
                .isEqualTo(201);
    }

    private ImagePull.Result pull(PulledFiles files, String repository, boolean lean, byte[] layer) throws IOException {
        Path to = home.resolve("layout-" + pulls++);
        ImagePull.Result result = ImagePull.pull(
                server.uri(),
                new ImageReference("registry", repository, "v1"),
                Optional.empty(),
                new ImagePull.Platform("linux", "amd64"),
                files,
                to,
                lean);
        Digest digest = RegistryClient.digest(layer);
        assertThat(to.resolve("blobs/sha256").resolve(digest.hex())).hasBinaryContent(layer);
        assertThat(Files.readString(to.resolve("index.json"))).contains(result.digest(), "\"v1\"");
        return result;
    }

    private PulledFiles files() throws IOException {
        return PulledFiles.open(home.resolve("files"));
    }

    private Path largest() throws IOException {
        try (Stream<Path> all = Files.walk(home.resolve("files/files"))) {
            return all.filter(Files::isRegularFile)
                    .max((one, other) ->
                            Long.compare(one.toFile().length(), other.toFile().length()))
                    .orElseThrow();
        }
    }

    @Test
    void aRelatedImageComesWithoutTheFilesThatWerePulledBefore() throws Exception {
        try (PulledFiles files = files()) {
            ImagePull.Result first = pull(files, "older", true, older);
            assertThat(first.leanLayers()).isEqualTo(1);
            assertThat(first.received()).isGreaterThan(first.stored());
            ImagePull.Result second = pull(files, "newer", true, newer);
            assertThat(second.leanLayers()).isEqualTo(1);
            assertThat(second.bytes()).isEqualTo(newer.length + CONFIG.length);
            // Four files of forty, none of them large, and the recipe.
            assertThat(second.received() + second.sent()).isLessThan(newer.length / 20);
            ImagePull.Result third = pull(files, "newer", true, newer);
            assertThat(third.heldLayers()).as("made of what is here").isEqualTo(1);
            assertThat(third.received()).isLessThan(2_000);
            ImagePull.Result whole = pull(files, "newer", false, newer);
            assertThat(whole.wholeLayers()).isEqualTo(1);
            assertThat(whole.received()).isGreaterThan(newer.length);
        }
        assertThat(meters.counter("packing.registry.lean.omitted.bytes").count())
                .isGreaterThan(newer.length / 2.0);
    }

    @Test
    void theNextProcessKnowsWhatWasPulledAndOnlyOneAtATimeHasIt() throws Exception {
        try (PulledFiles files = files()) {
            pull(files, "older", true, older);
            assertThatThrownBy(this::files).isInstanceOf(DirectoryInUseException.class);
        }
        try (PulledFiles files = files()) {
            assertThat(pull(files, "newer", true, newer).received()).isLessThan(newer.length / 20);
        }
    }

    @Test
    void aFileThatWasLostComesAgain() throws Exception {
        try (PulledFiles files = files()) {
            pull(files, "older", true, older);
            Files.delete(largest());
            assertThat(pull(files, "newer", true, newer).leanLayers()).isEqualTo(1);
        }
    }

    @Test
    void aFileThatWasDamagedMakesNoWrongLayer() throws Exception {
        try (PulledFiles files = files()) {
            pull(files, "older", true, older);
            Path damaged = largest();
            byte[] bytes = Files.readAllBytes(damaged);
            bytes[bytes.length / 2] ^= 1;
            Files.write(damaged, bytes);
            assertThat(pull(files, "newer", true, newer).wholeLayers()).isEqualTo(1);
            assertThat(damaged).doesNotExist();
            assertThat(pull(files, "newer", true, newer).leanLayers()).isEqualTo(1);
        }
    }

    @Test
    void aLayerThatIsNotSplitComesWhole() throws Exception {
        byte[] zipped = TestTar.gzip(older);
        push("zipped", zipped);
        server.awaitPushed();
        try (PulledFiles files = files()) {
            assertThat(pull(files, "zipped", true, zipped).wholeLayers()).isEqualTo(1);
        }
    }

    @Test
    void clientsThatDoNotAskGetWholeLayers() throws Exception {
        HttpResponse<byte[]> answer = client.pull("newer", RegistryClient.digest(newer));
        assertThat(answer.body()).isEqualTo(newer);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/octet-stream");
    }

    @Test
    void whatNobodyCanMeanIsRefused() throws Exception {
        String path = "/v2/newer/_packing/lean/" + RegistryClient.digest(newer);
        assertThat(client.ask("POST", path, BodyPublishers.ofString("layer x\n"))
                        .statusCode())
                .isEqualTo(405);
        assertThat(client.ask("POST", path, BodyPublishers.ofString("file " + "G".repeat(64)))
                        .statusCode())
                .isEqualTo(405);
        assertThat(client.ask("POST", path, new byte[2 << 20]).statusCode()).isEqualTo(400);
        assertThat(client.ask("POST", "/v2/newer/_packing/lean/" + RegistryClient.digest(new byte[3]), new byte[0])
                        .statusCode())
                .isEqualTo(404);
        assertThat(client.ask("PUT", path, new byte[0]).statusCode()).isEqualTo(405);
        // Layers that are not here are as good as none.
        HttpResponse<byte[]> all = client.ask(
                "POST",
                path,
                BodyPublishers.ofString("layer other/place " + RegistryClient.digest(new byte[3]) + "\n"));
        assertThat(all.statusCode()).isEqualTo(200);
        assertThat(all.headers().firstValue("Content-Type")).contains(LeanLayers.MEDIA_TYPE);
        assertThat(all.body().length).isGreaterThan(newer.length / 2);
    }
}
