// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.fuse.posix.server.PosixMount;
import io.packing.registry.RegistryOptions;
import io.packing.registry.RegistryServer;
import io.packing.registry.access.Access;
import io.packing.registry.files.Layout;
import io.packing.registry.files.MountFiles;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Manifest;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.Manifests;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A master, a worker and a registry of this JVM over a directory, and mounts of its layers, whose servers are processes. */
public final class LayerRig implements AutoCloseable {
    public static final FilePath REGISTRY = new FilePath("/registry");
    /** Options of a server that lives for seconds: most of its processor time went into the second compiler. */
    static final List<String> BRIEF = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";

    private final Path home;
    private final BdtMaster master;
    private final PackingWorker worker;
    private final PackingFileSystem mount;
    private final RegistryServer server;
    private final Map<String, String> options;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public LayerRig(Path home) throws IOException {
        this.home = home;
        Path store = Files.createDirectories(home.resolve("store"));
        this.options = Map.of("packing.store", store.toUri().toString(), "packing.seal.after", "1s");
        this.master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        home.resolve("master").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "file://" + store)))
                .serve();
        this.worker = PackingWorker.start(
                new WorkerOptions("w", home.resolve("buffer"), "127.0.0.1", 0),
                master,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
        this.mount = worker.open(MountOptions.from(options));
        this.server =
                RegistryServer.start(RegistryOptions.local(REGISTRY), files(), Access.OPEN, new SimpleMeterRegistry());
    }

    public RegistryFiles files() {
        return new MountFiles(mount, MountOptions.from(options));
    }

    public PackingFileSystem mount() {
        return mount;
    }

    Layout layout() {
        return new Layout(REGISTRY);
    }

    public String master() {
        return "127.0.0.1:" + master.port();
    }

    public Map<String, String> options() {
        return options;
    }

    /** Returns the host and port of the registry. */
    public String registry() {
        return server.uri().getAuthority();
    }

    /** Mounts the layer store at a new directory. */
    FuseMount mountLayers(String name) throws IOException, InterruptedException {
        Path directory = home.resolve(name);
        MountSpec spec = new MountSpec(
                directory, home.resolve(name + ".state"), "layers", true, MountAccessOptions.TREES, false);
        return new LayerStoreMount(master(), REGISTRY, options, spec, BRIEF).start(files());
    }

    /** Mounts a directory of the mount at a new directory, for reads and writes. */
    public FuseMount mount(String name, FilePath path) throws IOException, InterruptedException {
        Path directory = home.resolve(name);
        MountSpec spec = new MountSpec(
                directory, home.resolve(name + ".state"), "root", false, MountAccessOptions.CONTAINER, false);
        return new PosixMount(master(), path, options, Duration.ofSeconds(1), spec, BRIEF, OwnerMap.TREES).start();
    }

    /** Waits for the work behind pushes. */
    void awaitPushed() throws InterruptedException {
        server.awaitPushed();
    }

    /** Returns the process that serves a mount now. */
    static ProcessHandle server(FuseMount mount) {
        return ProcessHandle.of(mount.keeper())
                .orElseThrow()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the directory of a layer in a mounted store. */
    Path layer(Path store, String image, Digest digest) {
        String name = Base64.getEncoder().encodeToString(image.getBytes(StandardCharsets.UTF_8));
        return store.resolve(name).resolve(digest.toString());
    }

    /** Pushes an image of layers, with the digests of their tar streams; waits until those that can be are split. */
    public String pushImage(String repository, List<byte[]> layers, List<Digest> diffs)
            throws IOException, InterruptedException {
        return pushImage(repository, "v1", layers, diffs);
    }

    /** Pushes an image under a tag; otherwise as {@link #pushImage(String, List, List)}. */
    public String pushImage(String repository, String tag, List<byte[]> layers, List<Digest> diffs)
            throws IOException, InterruptedException {
        List<String> descriptors = new ArrayList<>();
        for (byte[] layer : layers) {
            push(repository, layer);
            String compressed = layer.length > 2 && layer[0] == 0x1f ? "+gzip" : layer[0] == 0x28 ? "+zstd" : "";
            descriptors.add(descriptor("application/vnd.oci.image.layer.v1.tar" + compressed, layer));
        }
        List<String> quoted =
                diffs.stream().map(diff -> '"' + diff.toString() + '"').toList();
        byte[] config =
                "{\"architecture\":\"amd64\",\"os\":\"linux\",\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[%s]}}"
                        .formatted(String.join(",", quoted))
                        .getBytes(StandardCharsets.UTF_8);
        push(repository, config);
        byte[] manifest = "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":%s,\"layers\":[%s]}"
                .formatted(
                        MANIFEST,
                        descriptor("application/vnd.oci.image.config.v1+json", config),
                        String.join(",", descriptors))
                .getBytes(StandardCharsets.UTF_8);
        send("PUT", "/v2/%s/manifests/%s".formatted(repository, tag), MANIFEST, manifest);
        server.awaitPushed();
        return "%s/%s:%s".formatted(registry(), repository, tag);
    }

    /** Returns the layer of an image that has one. */
    Digest onlyLayer(String repository, String tag) throws IOException, OciException {
        Manifests manifests = new Manifests(files(), layout(), () -> "unused");
        Manifest manifest = manifests.byTag(repository, tag).orElseThrow().parsed();
        return manifest.blobs().get(1);
    }

    public static Digest digest(byte[] bytes) {
        return Digest.Algorithm.SHA256.of(bytes);
    }

    private static String descriptor(String mediaType, byte[] blob) {
        return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}".formatted(mediaType, digest(blob), blob.length);
    }

    private void push(String repository, byte[] blob) throws IOException, InterruptedException {
        send(
                "POST",
                "/v2/%s/blobs/uploads/?digest=%s".formatted(repository, digest(blob)),
                "application/octet-stream",
                blob);
    }

    private void send(String method, String path, String type, byte[] body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.uri().resolve(path))
                .method(method, BodyPublishers.ofByteArray(body))
                .header("Content-Type", type)
                .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 201) {
            throw new IOException("%s %s: %d %s".formatted(method, path, answer.statusCode(), answer.body()));
        }
    }

    @Override
    public void close() throws IOException {
        try (master;
                worker;
                mount) {
            server.close();
        }
    }
}
