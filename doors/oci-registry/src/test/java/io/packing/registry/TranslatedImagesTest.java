// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdInputStream;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.registry.access.Access;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.gc.GcOptions;
import io.packing.registry.gc.GcReport;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.MediaTypes;
import io.packing.registry.translate.ImageTranslator;
import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Images whose layers the registry has in another form, as clients see them. */
@Timeout(120)
class TranslatedImagesTest {
    private static final String GZIP = "application/vnd.oci.image.layer.v1.tar+gzip";
    private static final String DOCKER_GZIP = "application/vnd.docker.image.rootfs.diff.tar.gzip";
    private static final FilePath BASE = new FilePath("/registry");
    /** The media types that podman accepts, in one header. */
    private static final String ANY = String.join(
            ", ", MediaTypes.OCI_MANIFEST, MediaTypes.OCI_INDEX, MediaTypes.DOCKER_MANIFEST, MediaTypes.DOCKER_INDEX);

    private static final long FAR_FUTURE = Long.MAX_VALUE / 2;
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path home;

    private TestMount mount;
    private RegistryServer server;
    private RegistryClient client;

    @BeforeEach
    void start() throws IOException {
        mount = TestMount.start(home);
        server = start(Optional.of(LayerForm.ZSTD));
        client = new RegistryClient(server.uri());
    }

    private RegistryServer start(Optional<LayerForm> form) throws IOException {
        return RegistryServer.start(
                TestRegistries.config(BASE.value(), true).withTranslation(form),
                mount.files(),
                Access.OPEN,
                new SimpleMeterRegistry());
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        mount.close();
    }

    private static byte[] tar(int seed) {
        byte[] content = new byte[50_000];
        new SplittableRandom(Seed.value() + seed).nextBytes(content);
        return new TestTar()
                .file("shared", new byte[9_000])
                .file("own", content)
                .end();
    }

    private static String descriptor(String mediaType, byte[] bytes) {
        return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}"
                .formatted(mediaType, RegistryClient.digest(bytes), bytes.length);
    }

    private static byte[] config(byte[]... tars) {
        List<String> digests = new ArrayList<>();
        for (byte[] tar : tars) {
            digests.add("\"" + RegistryClient.digest(tar) + "\"");
        }
        return "{\"architecture\":\"amd64\",\"os\":\"linux\",\"rootfs\":{\"type\":\"layers\",\"diff_ids\":%s}}"
                .formatted(digests)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] image(String mediaType, String config, String layers) {
        return "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":%s,\"layers\":[%s]}"
                .formatted(mediaType, config, layers)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Pushes an image of one gzipped layer; returns its manifest. */
    private byte[] push(String repository, String tag, byte[] tar) throws Exception {
        byte[] manifest = image(
                MediaTypes.OCI_MANIFEST,
                descriptor(MediaTypes.OCI_CONFIG, config(tar)),
                descriptor(GZIP, TestTar.gzip(tar)));
        client.push(repository, config(tar));
        client.push(repository, TestTar.gzip(tar));
        put(repository, tag, MediaTypes.OCI_MANIFEST, manifest);
        return manifest;
    }

    private void put(String repository, String reference, String mediaType, byte[] manifest) throws Exception {
        assertThat(client.ask(
                                "PUT",
                                "/v2/%s/manifests/%s".formatted(repository, reference),
                                manifest,
                                "Content-Type",
                                mediaType)
                        .statusCode())
                .isEqualTo(201);
        server.awaitPushed();
    }

    private HttpResponse<byte[]> get(String repository, String reference, String... accept) throws Exception {
        List<String> headers = new ArrayList<>();
        for (String each : accept) {
            headers.add("Accept");
            headers.add(each);
        }
        return client.get("/v2/%s/manifests/%s".formatted(repository, reference), headers.toArray(String[]::new));
    }

    private static String digestIn(HttpResponse<byte[]> response) {
        return response.headers().firstValue("Docker-Content-Digest").orElseThrow();
    }

    private byte[] tarOf(String repository, JsonNode layer) throws Exception {
        byte[] blob = client.pull(repository, Digest.parse(layer.path("digest").asText()))
                .body();
        assertThat(RegistryClient.digest(blob).toString())
                .isEqualTo(layer.path("digest").asText());
        assertThat(blob).hasSize(layer.path("size").asInt());
        try (InputStream in = new ZstdInputStream(new ByteArrayInputStream(blob))) {
            return in.readAllBytes();
        }
    }

    private GcReport collect(boolean dryRun) throws IOException {
        try (RegistryUpkeep upkeep = new RegistryUpkeep(mount.files(), BASE)) {
            return upkeep.collect(
                    () -> FAR_FUTURE, new GcOptions(Duration.ofHours(24), dryRun, Optional.of(LayerForm.ZSTD)));
        }
    }

    @Test
    void aPullByTagGetsTheOtherFormAndAPullByDigestWhatWasPushed() throws Exception {
        byte[] tar = tar(1);
        byte[] manifest = push("team/app", "v1", tar);
        HttpResponse<byte[]> response = get("team/app", "v1", ANY);
        assertThat(response.headers().firstValue("Content-Type")).contains(MediaTypes.OCI_MANIFEST);
        assertThat(response.headers().firstValue("Vary")).contains("Accept");
        assertThat(digestIn(response))
                .isEqualTo(RegistryClient.digest(response.body()).toString());
        JsonNode translated = JSON.readTree(response.body());
        assertThat(translated.at("/layers/0/mediaType").asText()).isEqualTo(LayerForm.ZSTD.mediaType());
        assertThat(tarOf("team/app", translated.at("/layers/0"))).isEqualTo(tar);
        assertThat(translated.path("config")).isEqualTo(JSON.readTree(descriptor(MediaTypes.OCI_CONFIG, config(tar))));
        assertThat(digestIn(get("team/app", "v1", MediaTypes.DOCKER_MANIFEST, MediaTypes.OCI_MANIFEST)))
                .isEqualTo(digestIn(response));
        // A client that asks by digest wants these bytes, and one that does not name the media type may not know it.
        String pushed = RegistryClient.digest(manifest).toString();
        assertThat(get("team/app", pushed, ANY).body()).isEqualTo(manifest);
        assertThat(get("team/app", "v1", MediaTypes.DOCKER_MANIFEST).body()).isEqualTo(manifest);
        assertThat(get("team/app", "v1", "*/*").body()).isEqualTo(manifest);
        assertThat(get("team/app", digestIn(response), ANY).body()).isEqualTo(response.body());
    }

    @Test
    void aRegistryThatWasNotToldToTranslateGivesWhatWasPushed() throws Exception {
        byte[] manifest = push("a", "v1", tar(1));
        try (RegistryServer other = start(Optional.empty())) {
            HttpResponse<byte[]> response =
                    new RegistryClient(other.uri()).get("/v2/a/manifests/v1", "Accept", MediaTypes.OCI_MANIFEST);
            assertThat(response.body()).isEqualTo(manifest);
        }
    }

    @Test
    void anImageOfDockerBecomesOneOfOci() throws Exception {
        byte[] tar = tar(2);
        byte[] plain = tar(3);
        client.push("a", config(tar, plain));
        client.push("a", TestTar.gzip(tar));
        client.push("a", plain);
        byte[] manifest = image(
                MediaTypes.DOCKER_MANIFEST,
                descriptor(MediaTypes.DOCKER_CONFIG, config(tar, plain)),
                descriptor(DOCKER_GZIP, TestTar.gzip(tar)) + ","
                        + descriptor("application/vnd.docker.image.rootfs.diff.tar", plain));
        put("a", "v1", MediaTypes.DOCKER_MANIFEST, manifest);
        JsonNode translated = JSON.readTree(get("a", "v1", ANY).body());
        assertThat(translated.path("mediaType").asText()).isEqualTo(MediaTypes.OCI_MANIFEST);
        assertThat(translated.at("/config/mediaType").asText()).isEqualTo(MediaTypes.OCI_CONFIG);
        assertThat(tarOf("a", translated.at("/layers/0"))).isEqualTo(tar);
        assertThat(translated.at("/layers/1/mediaType").asText()).isEqualTo("application/vnd.oci.image.layer.v1.tar");
        assertThat(translated.at("/layers/1/digest").asText())
                .isEqualTo(RegistryClient.digest(plain).toString());
    }

    @Test
    void anIndexListsTheImagesThatWereTranslated() throws Exception {
        byte[] one = push("a", "one", tar(1));
        byte[] plain = RegistryClient.manifest(config(tar(2)), tar(2));
        client.push("a", config(tar(2)));
        client.push("a", tar(2));
        put("a", "two", MediaTypes.OCI_MANIFEST, plain);
        byte[] index = "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"manifests\":[%s,%s]}"
                .formatted(
                        MediaTypes.DOCKER_INDEX,
                        descriptor(MediaTypes.OCI_MANIFEST, one)
                                .replace("}", ",\"platform\":{\"architecture\":\"amd64\",\"os\":\"linux\"}}"),
                        descriptor(MediaTypes.OCI_MANIFEST, plain))
                .getBytes(StandardCharsets.UTF_8);
        put("a", "all", MediaTypes.DOCKER_INDEX, index);
        HttpResponse<byte[]> response = get("a", "all", ANY);
        assertThat(response.headers().firstValue("Content-Type")).contains(MediaTypes.OCI_INDEX);
        JsonNode translated = JSON.readTree(response.body());
        String child = translated.at("/manifests/0/digest").asText();
        assertThat(child).isEqualTo(digestIn(get("a", "one", ANY)));
        assertThat(translated.at("/manifests/0/platform/os").asText()).isEqualTo("linux");
        assertThat(translated.at("/manifests/1/digest").asText())
                .isEqualTo(RegistryClient.digest(plain).toString());
        assertThat(tarOf("a", JSON.readTree(get("a", child).body()).at("/layers/0")))
                .isEqualTo(tar(1));
    }

    @Test
    void whatIsNoImageOrNotAsItsConfigurationSaysStaysAsItIs() throws Exception {
        byte[] tar = tar(1);
        byte[] lie = config(tar(2));
        byte[] noJson = "no configuration".getBytes(StandardCharsets.UTF_8);
        client.push("a", TestTar.gzip(tar));
        client.push("a", lie);
        client.push("a", noJson);
        client.push("a", config(tar));
        String layer = descriptor(GZIP, TestTar.gzip(tar));
        byte[] subject = RegistryClient.manifest(noJson);
        put("a", "subject", MediaTypes.OCI_MANIFEST, subject);
        String refers = ",\"subject\":" + descriptor(MediaTypes.OCI_MANIFEST, subject) + "}";
        String whole = new String(
                image(MediaTypes.OCI_MANIFEST, descriptor(MediaTypes.OCI_CONFIG, config(tar)), layer),
                StandardCharsets.UTF_8);
        List<byte[]> kept = List.of(
                image(MediaTypes.OCI_MANIFEST, descriptor(MediaTypes.OCI_CONFIG, lie), layer),
                image(MediaTypes.OCI_MANIFEST, descriptor(MediaTypes.OCI_CONFIG, noJson), layer),
                image(MediaTypes.OCI_MANIFEST, descriptor("application/vnd.example+json", config(tar)), layer),
                image(MediaTypes.OCI_MANIFEST, descriptor(MediaTypes.OCI_CONFIG, config(tar)), layer + "," + layer),
                (whole.substring(0, whole.length() - 1) + refers).getBytes(StandardCharsets.UTF_8));
        for (byte[] manifest : kept) {
            put("a", "v1", MediaTypes.OCI_MANIFEST, manifest);
            assertThat(get("a", "v1", ANY).body()).isEqualTo(manifest);
        }
    }

    @Test
    void whoDeletesTheOneDeletesTheOther() throws Exception {
        byte[] manifest = push("a", "v1", tar(1));
        String translation = digestIn(get("a", "v1", ANY));
        assertThat(client.ask("DELETE", "/v2/a/manifests/" + translation).statusCode())
                .isEqualTo(202);
        assertThat(get("a", "v1", ANY).statusCode()).isEqualTo(404);
        assertThat(get("a", RegistryClient.digest(manifest).toString()).statusCode())
                .isEqualTo(404);
        push("a", "v1", tar(1));
        assertThat(digestIn(get("a", "v1", ANY))).isEqualTo(translation);
        assertThat(client.ask("DELETE", "/v2/a/manifests/" + RegistryClient.digest(manifest))
                        .statusCode())
                .isEqualTo(202);
        assertThat(get("a", translation).statusCode()).isEqualTo(404);
    }

    @Test
    void aTranslationThatHasATagOfItsOwnOutlivesWhatWasPushed() throws Exception {
        byte[] manifest = push("a", "v1", tar(1));
        byte[] translation = get("a", "v1", ANY).body();
        put("a", "mine", MediaTypes.OCI_MANIFEST, translation);
        assertThat(client.ask("DELETE", "/v2/a/manifests/" + RegistryClient.digest(manifest))
                        .statusCode())
                .isEqualTo(202);
        assertThat(get("a", "v1").statusCode()).isEqualTo(404);
        assertThat(get("a", "mine").body()).isEqualTo(translation);
        assertThat(tarOf("a", JSON.readTree(translation).at("/layers/0"))).isEqualTo(tar(1));
    }

    @Test
    void aManifestThatOnlySaysToBeATranslationTakesNothingWithIt() throws Exception {
        byte[] manifest = push("a", "v1", tar(1));
        byte[] config = config(tar(1));
        byte[] liar =
                "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":%s,\"layers\":[],\"annotations\":{\"%s\":\"%s\"}}"
                        .formatted(
                                MediaTypes.OCI_MANIFEST,
                                descriptor(MediaTypes.OCI_CONFIG, config),
                                "io.packing.translation-of",
                                RegistryClient.digest(manifest))
                        .getBytes(StandardCharsets.UTF_8);
        put("a", "liar", MediaTypes.OCI_MANIFEST, liar);
        assertThat(client.ask("DELETE", "/v2/a/manifests/" + RegistryClient.digest(liar))
                        .statusCode())
                .isEqualTo(202);
        assertThat(get("a", "v1").body()).isEqualTo(manifest);
    }

    @Test
    void originalsGoWhenTheyAreDroppedAndTranslationsStay() throws Exception {
        byte[] manifest = push("a", "v1", tar(1));
        push("a", "v2", tar(2));
        String translation = digestIn(get("a", "v1", ANY));
        assertThat(collect(true).retagged()).isEqualTo(2);
        assertThat(get("a", "v1").body()).as("a dry run").isEqualTo(manifest);
        GcReport report = collect(false);
        assertThat(report.retagged()).isEqualTo(2);
        assertThat(report.manifests()).isEqualTo(2);
        assertThat(report.blobs()).as("the gzipped layers").isEqualTo(2);
        assertThat(get("a", RegistryClient.digest(manifest).toString()).statusCode())
                .isEqualTo(404);
        // This is the only form, also for clients that do not ask for it.
        assertThat(digestIn(get("a", "v1"))).isEqualTo(translation);
        JsonNode left = JSON.readTree(get("a", "v1", ANY).body());
        assertThat(tarOf("a", left.at("/layers/0"))).isEqualTo(tar(1));
        assertThat(collect(false).retagged()).isZero();
        assertThat(digestIn(get("a", "v2"))).isNotEqualTo(translation);
        // A second push of the image brings everything back.
        push("a", "v1", tar(1));
        assertThat(get("a", RegistryClient.digest(manifest).toString()).body()).isEqualTo(manifest);
        assertThat(digestIn(get("a", "v1", ANY))).isEqualTo(translation);
    }

    @Test
    void whatWasPushedBeforeIsTranslatedByHand() throws Exception {
        byte[] before;
        try (RegistryServer other = start(Optional.empty())) {
            RegistryServer mine = server;
            server = other;
            client = new RegistryClient(other.uri());
            before = push("a", "v1", tar(1));
            server = mine;
            client = new RegistryClient(mine.uri());
        }
        assertThat(get("a", "v1", ANY).body()).isEqualTo(before);
        try (RegistryUpkeep upkeep = new RegistryUpkeep(mount.files(), BASE)) {
            assertThat(upkeep.translate(LayerForm.ZSTD)).containsExactly(entry(ImageTranslator.Result.TRANSLATED, 1L));
            assertThat(upkeep.translate(LayerForm.ZSTD)).containsExactly(entry(ImageTranslator.Result.TRANSLATED, 1L));
        }
        JsonNode translated = JSON.readTree(get("a", "v1", ANY).body());
        assertThat(tarOf("a", translated.at("/layers/0"))).isEqualTo(tar(1));
    }

    @Test
    void whatIsSignedIsNotDropped() throws Exception {
        byte[] manifest = push("a", "v1", tar(1));
        String whole = new String(RegistryClient.manifest(config(tar(1))), StandardCharsets.UTF_8);
        byte[] signature = (whole.substring(0, whole.length() - 1) + ",\"subject\":"
                        + descriptor(MediaTypes.OCI_MANIFEST, manifest) + "}")
                .getBytes(StandardCharsets.UTF_8);
        put("a", RegistryClient.digest(signature).toString(), MediaTypes.OCI_MANIFEST, signature);
        assertThat(collect(false).retagged()).isZero();
        assertThat(get("a", "v1").body()).isEqualTo(manifest);
        assertThat(tarOf("a", JSON.readTree(get("a", "v1", ANY).body()).at("/layers/0")))
                .as("the translation is needed as long as the image")
                .isEqualTo(tar(1));
    }
}
