// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.access.Access;
import io.packing.registry.files.Layout;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The distribution API, with two registries on one mount: each gives the blobs that the other takes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegistryServerTest {
    private static final byte[] CONFIG = "{}".getBytes(StandardCharsets.UTF_8);

    private final TestMount mount;
    private final RegistryServer one;
    private final RegistryServer other;
    private final RegistryClient client;
    private final RegistryClient otherClient;

    RegistryServerTest(@TempDir Path home) throws IOException {
        mount = TestMount.start(home);
        one = start(false);
        other = start(false);
        client = new RegistryClient(one.uri());
        otherClient = new RegistryClient(other.uri());
    }

    private RegistryServer start(boolean readOnly) throws IOException {
        RegistryOptions config =
                TestRegistries.config("/registry", false).withReadOnly(readOnly).withReadAhead(0);
        return RegistryServer.start(config, mount.files(), Access.OPEN, new SimpleMeterRegistry());
    }

    @BeforeAll
    void answers() throws Exception {
        assertThat(client.get("/v2/").statusCode()).isEqualTo(200);
    }

    @AfterAll
    void stop() throws IOException {
        try (mount;
                other) {
            one.close();
        }
    }

    private static byte[] bytes(int count, int seed) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 31 + i / 251 + seed);
        }
        return bytes;
    }

    @Test
    void whatOneProcessTookAnotherGives() throws Exception {
        byte[] blob = bytes(10_000_000, 1);
        assertThat(client.push("a/b", blob).statusCode()).isEqualTo(201);
        HttpResponse<byte[]> pulled = otherClient.pull("a/b", RegistryClient.digest(blob));
        assertThat(pulled.statusCode()).isEqualTo(200);
        assertThat(pulled.body()).isEqualTo(blob);
        assertThat(otherClient.pull("a/c", RegistryClient.digest(blob)).statusCode())
                .isEqualTo(404);
    }

    @Test
    void chunksOfOneUploadMayGoToSeveralProcesses() throws Exception {
        byte[] first = bytes(300_000, 2);
        byte[] second = bytes(200_001, 3);
        byte[] whole = new byte[first.length + second.length];
        System.arraycopy(first, 0, whole, 0, first.length);
        System.arraycopy(second, 0, whole, first.length, second.length);
        String at = client.begin("chunks");
        at = RegistryClient.location(client.ask("PATCH", at, first, "Content-Range", "0-299999"));
        HttpResponse<byte[]> status = otherClient.get(at);
        assertThat(status.statusCode()).isEqualTo(204);
        assertThat(status.headers().firstValue("Range")).contains("0-299999");
        assertThat(otherClient
                        .ask("PATCH", at, second, "Content-Range", "5-200005")
                        .statusCode())
                .isEqualTo(416);
        at = RegistryClient.location(otherClient.ask("PATCH", at, second, "Content-Range", "300000-500000"));
        Digest digest = RegistryClient.digest(whole);
        assertThat(client.ask("PUT", at + "?digest=" + digest).statusCode()).isEqualTo(201);
        assertThat(otherClient.pull("chunks", digest).body()).isEqualTo(whole);
        assertThat(client.get(at).statusCode()).isEqualTo(404);
    }

    @Test
    void aRangeWithoutAByteOfTheBlobIsAnsweredWithItsLength() throws Exception {
        byte[] blob = bytes(1_000, 8);
        client.push("ranges", blob);
        String path = "/v2/ranges/blobs/" + RegistryClient.digest(blob);
        for (String range : new String[] {"bytes=1000-", "bytes=5000-6000", "bytes=-0"}) {
            HttpResponse<byte[]> answer = client.get(path, "Range", range);
            assertThat(answer.statusCode()).as(range).isEqualTo(416);
            assertThat(answer.headers().firstValue("Content-Range")).contains("bytes */1000");
            assertThat(answer.headers().firstValue("ETag")).isEmpty();
        }
    }

    @Test
    void wrongBytesLeaveNothing() throws Exception {
        byte[] blob = bytes(70_000, 4);
        Digest digest = RegistryClient.digest(bytes(70_000, 5));
        HttpResponse<byte[]> answer = client.ask("POST", "/v2/wrong/blobs/uploads/?digest=" + digest, blob);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(RegistryClient.code(answer)).isEqualTo("DIGEST_INVALID");
        assertThat(client.pull("wrong", digest).statusCode()).isEqualTo(404);
        assertThat(client.pull("wrong", RegistryClient.digest(blob)).statusCode())
                .isEqualTo(404);
        assertThat(mount.files()
                        .list(new FilePath("/registry/repositories/wrong/_uploads"), "", 10)
                        .orElseThrow())
                .isEmpty();
    }

    @Test
    void aManifestNeedsItsBlobs() throws Exception {
        byte[] layer = bytes(5_000, 6);
        byte[] manifest = RegistryClient.manifest(CONFIG, layer);
        client.push("needs", CONFIG);
        HttpResponse<byte[]> refused = client.tag("needs", "v1", manifest);
        assertThat(refused.statusCode()).isEqualTo(404);
        assertThat(RegistryClient.code(refused)).isEqualTo("MANIFEST_BLOB_UNKNOWN");
        assertThat(client.get("/v2/needs/manifests/v1").statusCode()).isEqualTo(404);
        client.push("needs", layer);
        assertThat(client.tag("needs", "v1", manifest).statusCode()).isEqualTo(201);
        assertThat(otherClient.get("/v2/needs/manifests/v1").body()).isEqualTo(manifest);
    }

    @Test
    void tagsAreListedWithoutRegardToCaseInPages() throws Exception {
        byte[] manifest = RegistryClient.manifest(CONFIG);
        client.push("tags", CONFIG);
        for (String tag : new String[] {"b", "A", "a-1", "C", "a"}) {
            client.tag("tags", tag, manifest);
        }
        assertThat(new String(client.get("/v2/tags/tags/list?n=3").body(), StandardCharsets.UTF_8))
                .contains("[\"A\",\"a\",\"a-1\"]");
        HttpResponse<byte[]> second = client.get("/v2/tags/tags/list?n=3&last=a-1");
        assertThat(new String(second.body(), StandardCharsets.UTF_8)).contains("[\"b\",\"C\"]");
        assertThat(second.headers().firstValue("Link")).isEmpty();
        assertThat(RegistryClient.code(client.get("/v2/nobody/tags/list"))).isEqualTo("NAME_UNKNOWN");
    }

    @Test
    void aTagThatMovesLeavesTheOldManifest() throws Exception {
        byte[] older = RegistryClient.manifest(CONFIG);
        byte[] newer = RegistryClient.manifest(CONFIG, CONFIG);
        client.push("moves", CONFIG);
        client.tag("moves", "latest", older);
        otherClient.tag("moves", "latest", newer);
        assertThat(client.get("/v2/moves/manifests/latest").body()).isEqualTo(newer);
        assertThat(client.get("/v2/moves/manifests/" + RegistryClient.digest(older))
                        .body())
                .isEqualTo(older);
        assertThat(client.ask("DELETE", "/v2/moves/manifests/" + RegistryClient.digest(older))
                        .statusCode())
                .isEqualTo(202);
        assertThat(client.get("/v2/moves/manifests/latest").statusCode()).isEqualTo(200);
        assertThat(client.ask("DELETE", "/v2/moves/manifests/" + RegistryClient.digest(newer))
                        .statusCode())
                .isEqualTo(202);
        assertThat(client.get("/v2/moves/manifests/latest").statusCode()).isEqualTo(404);
    }

    @Test
    void hugeManifestsAndBadNamesAreRefusedWithTheirCodes() throws Exception {
        HttpResponse<byte[]> huge = client.tag("huge", "v1", new byte[50 << 20]);
        assertThat(huge.statusCode()).isEqualTo(413);
        assertThat(RegistryClient.code(huge)).isEqualTo("SIZE_INVALID");
        assertThat(RegistryClient.code(client.get("/v2/UPPER/manifests/v1"))).isEqualTo("NAME_INVALID");
        assertThat(RegistryClient.code(client.get("/v2/a/blobs/sha256:12"))).isEqualTo("DIGEST_INVALID");
        assertThat(RegistryClient.code(client.tag("huge", "v1", new byte[] {1, 2, 3})))
                .isEqualTo("MANIFEST_INVALID");
        assertThat(RegistryClient.code(client.get("/v2/huge/blobs/uploads/nothing")))
                .isEqualTo("BLOB_UPLOAD_UNKNOWN");
    }

    /** Their bytes are not pushed, which would take long: the repository only says that it has them. */
    @Test
    void aManifestMayHaveTenThousandDifferentLayersAndIsRefusedWhenOneIsMissing() throws Exception {
        Layout layout = new Layout(new FilePath("/registry"));
        byte[][] layers = new byte[10_000][];
        VectorBuilder links = new VectorBuilder();
        for (int i = 0; i < layers.length; i++) {
            layers[i] = bytes(10, 1_000 + i);
            layers[i][0] = (byte) (i >> 8);
            links.directory(layout.link("layers", RegistryClient.digest(layers[i])));
        }
        assertThat(mount.files().apply(links.build())).isInstanceOf(VectorResult.Applied.class);
        byte[] manifest = RegistryClient.manifest(CONFIG, layers);
        HttpResponse<byte[]> early = client.tag("layers", "v1", manifest);
        assertThat(RegistryClient.code(early)).isEqualTo("MANIFEST_BLOB_UNKNOWN");
        assertThat(client.get("/v2/layers/manifests/v1").statusCode()).isEqualTo(404);
        client.push("layers", CONFIG);
        assertThat(client.tag("layers", "v1", manifest).statusCode()).isEqualTo(201);
        assertThat(otherClient.get("/v2/layers/manifests/v1").body()).isEqualTo(manifest);
    }

    @Test
    void aReadOnlyRegistryChangesNothing() throws Exception {
        client.push("frozen", CONFIG);
        try (RegistryServer frozen = start(true)) {
            RegistryClient reader = new RegistryClient(frozen.uri());
            assertThat(reader.pull("frozen", RegistryClient.digest(CONFIG)).body())
                    .isEqualTo(CONFIG);
            HttpResponse<byte[]> refused = reader.push("frozen", bytes(10, 7));
            assertThat(refused.statusCode()).isEqualTo(405);
            assertThat(RegistryClient.code(refused)).isEqualTo("UNSUPPORTED");
            assertThat(reader.ask("DELETE", "/v2/frozen/blobs/" + RegistryClient.digest(CONFIG))
                            .statusCode())
                    .isEqualTo(405);
        }
    }
}
