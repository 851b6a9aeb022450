// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.registry.RegistryClient;
import io.packing.registry.RegistryOptions;
import io.packing.registry.RegistryServer;
import io.packing.registry.TestMount;
import io.packing.registry.access.Access;
import io.packing.registry.dedup.Rebuilder;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The collector removes all objects that no tag reaches, and no other. */
class CollectorTest {
    private static final byte[] CONFIG = "{}".getBytes(StandardCharsets.UTF_8);
    private static final long FAR_FUTURE = Long.MAX_VALUE / 2;

    @TempDir
    private Path home;

    private TestMount mount;
    private RegistryServer server;
    private RegistryClient client;
    private final Layout layout = new Layout(new FilePath("/registry"));
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    @BeforeEach
    void start() throws IOException {
        mount = TestMount.start(home);
        server = RegistryServer.start(
                RegistryOptions.local(new FilePath("/registry")),
                mount.files(),
                Access.OPEN,
                new SimpleMeterRegistry());
        client = new RegistryClient(server.uri());
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        server.close();
        mount.close();
    }

    private GcReport collect(long now, boolean dryRun) throws IOException {
        RegistryFiles files = mount.files();
        return new Collector(
                        files,
                        layout,
                        new Rebuilder(files, layout, new ReadAhead(threads, ReadAhead.defaultBytes())),
                        () -> UUID.randomUUID().toString(),
                        () -> now,
                        new GcOptions(Duration.ofHours(24), dryRun, Optional.empty()))
                .run();
    }

    /** Returns a tar of one file, which differs by its seed. */
    private static byte[] tar(int seed) {
        byte[] content = new byte[2_048];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i * 7 + seed);
        }
        byte[] tar = new byte[512 + content.length + 1_024];
        byte[] header = tar;
        byte[] name = ("f" + seed).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(name, 0, header, 0, name.length);
        byte[] size = "00000004000\0".getBytes(StandardCharsets.UTF_8);
        System.arraycopy(size, 0, header, 124, size.length);
        header[156] = '0';
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (int i = 0; i < 512; i++) {
            sum += header[i] & 0xff;
        }
        byte[] check = "%06o\0 ".formatted(sum).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(check, 0, header, 148, check.length);
        System.arraycopy(content, 0, tar, 512, content.length);
        return tar;
    }

    private Digest image(String repository, String tag, int seed) throws Exception {
        byte[] layer = tar(seed);
        client.push(repository, CONFIG);
        client.push(repository, layer);
        byte[] manifest = RegistryClient.manifest(CONFIG, layer);
        assertThat(client.tag(repository, tag, manifest).statusCode()).isEqualTo(201);
        server.awaitPushed();
        return RegistryClient.digest(manifest);
    }

    private boolean isTrashEmpty() throws IOException {
        return mount.files()
                .list(layout.trash(), "", 10)
                .map(page -> page.isEmpty())
                .orElse(true);
    }

    @Test
    void whatIsTaggedStaysAndWhatIsNotGoesWithItsBytes() throws Exception {
        Digest kept = image("a/kept", "v1", 1);
        Digest gone = image("a/kept", "v2", 2);
        image("other", "v1", 2);
        image("lost", "v1", 3);
        client.ask("DELETE", "/v2/a/kept/manifests/v2");
        client.ask("DELETE", "/v2/lost/manifests/v1");

        GcReport dry = collect(FAR_FUTURE, true);
        assertThat(dry.manifests()).isEqualTo(2);
        assertThat(client.get("/v2/a/kept/manifests/" + gone).statusCode()).isEqualTo(200);

        GcReport report = collect(FAR_FUTURE, false);
        assertThat(report.manifests()).isEqualTo(2);
        // Two layers, and the configuration of the repository that has no manifest any more.
        assertThat(report.links()).isEqualTo(3);
        assertThat(report.blobs()).isEqualTo(1);
        assertThat(report.files()).isEqualTo(1);
        assertThat(report.restored()).isZero();
        assertThat(dry.links()).isEqualTo(report.links());
        assertThat(dry.blobs()).isEqualTo(report.blobs());
        assertThat(client.get("/v2/a/kept/manifests/" + gone).statusCode()).isEqualTo(404);
        assertThat(client.get("/v2/a/kept/manifests/" + kept).statusCode()).isEqualTo(200);
        assertThat(client.pull("a/kept", RegistryClient.digest(tar(1))).body()).isEqualTo(tar(1));
        assertThat(client.pull("other", RegistryClient.digest(tar(2))).body()).isEqualTo(tar(2));
        assertThat(client.pull("lost", RegistryClient.digest(tar(3))).statusCode())
                .isEqualTo(404);
        assertThat(isTrashEmpty()).isTrue();
        assertThat(collect(FAR_FUTURE, false).links()).isZero();
    }

    @Test
    void whatIsYoungStays() throws Exception {
        image("a", "v1", 4);
        client.ask("DELETE", "/v2/a/manifests/v1");
        GcReport report = collect(System.currentTimeMillis(), false);
        assertThat(report).isEqualTo(new GcReport(0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
        assertThat(client.pull("a", RegistryClient.digest(tar(4))).body()).isEqualTo(tar(4));
    }

    @Test
    void aReferrerStaysWithItsSubjectAndIdleUploadsGo() throws Exception {
        Digest subject = image("a", "v1", 5);
        byte[] referrer = new String(RegistryClient.manifest(CONFIG), StandardCharsets.UTF_8)
                .replace(
                        "\"layers\"",
                        "\"subject\":{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":1},\"layers\""
                                .formatted(RegistryClient.MANIFEST, subject))
                .getBytes(StandardCharsets.UTF_8);
        client.tag("a", RegistryClient.digest(referrer).toString(), referrer);
        String upload = client.begin("a");
        client.ask("PATCH", upload, new byte[] {1, 2, 3});
        GcReport report = collect(FAR_FUTURE, false);
        assertThat(report.manifests()).isZero();
        assertThat(report.uploads()).isEqualTo(1);
        assertThat(client.get(upload).statusCode()).isEqualTo(404);
        assertThat(client.get("/v2/a/manifests/" + RegistryClient.digest(referrer))
                        .statusCode())
                .isEqualTo(200);
        client.ask("DELETE", "/v2/a/manifests/v1");
        assertThat(collect(FAR_FUTURE, false).manifests()).isEqualTo(2);
        assertThat(new String(client.get("/v2/a/referrers/" + subject).body(), StandardCharsets.UTF_8))
                .contains("\"manifests\":[]");
    }

    @Test
    void whatACollectorThatDiedLeftIsPutBack() throws Exception {
        image("a", "v1", 6);
        FilePath blob = layout.blob(RegistryClient.digest(tar(6)));
        Tree tree = new Tree(mount.files(), layout);
        assertThat(new Trash(mount.files(), layout, tree, "dead").take(blob)).isTrue();
        assertThat(client.pull("a", RegistryClient.digest(tar(6))).statusCode()).isEqualTo(404);
        GcReport report = collect(FAR_FUTURE, false);
        assertThat(report.blobs()).isZero();
        assertThat(client.pull("a", RegistryClient.digest(tar(6))).body()).isEqualTo(tar(6));
        assertThat(isTrashEmpty()).isTrue();
    }
}
