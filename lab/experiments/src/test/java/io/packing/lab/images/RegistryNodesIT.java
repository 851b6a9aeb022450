// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.process.Ports;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.seed.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Five nodes with stores of their own, each a process, two with whole layers and three with files. Clients push and pull while nodes are killed,
 * come back with old disks, and have no room.
 */
@Tag("process")
class RegistryNodesIT {
    private static final Map<String, String> MOUNT =
            Map.of("packing.durability", "buffered", "packing.seal.after", "1s");

    private final SplittableRandom random = new SplittableRandom(Seed.value());
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, URI> uris = new LinkedHashMap<>();
    private final Map<String, EngineRig.Registry> running = new LinkedHashMap<>();
    private final Map<String, byte[]> blobs = new LinkedHashMap<>();
    private int starts;

    private void start(Workspace workspace, EngineRig rig, String node, String... more)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "--role",
                node.startsWith("p") ? "primary" : "dedup",
                "--node",
                node,
                "--node-dir",
                store(workspace, node).toString(),
                "--nodes",
                workspace.directory().resolve("nodes").toString()));
        words.addAll(List.of(more));
        URI uri = Optional.ofNullable(uris.get(node)).orElseThrow();
        running.put(node, rig.startNode(workspace, node + "-" + starts++, uri.getAuthority(), words));
    }

    private static Path store(Workspace workspace, String node) {
        return workspace.directory().resolve("store-" + node);
    }

    private static long bytes(Workspace workspace, String node) throws IOException {
        try (Stream<Path> files = Files.walk(store(workspace, node))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private void kill(String node) throws InterruptedException {
        Optional.ofNullable(running.remove(node)).orElseThrow().process().kill();
    }

    /** A tar with new files and some that other layers have. */
    private byte[] layer() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(all)) {
            for (int i = 0; i < 30; i++) {
                boolean isShared = i % 3 == 0;
                SplittableRandom source = isShared ? new SplittableRandom(Seed.value() + i) : random.split();
                byte[] bytes = new byte[i == 1 ? 2_500_000 : 600 + source.nextInt(40_000)];
                source.nextBytes(bytes);
                TarArchiveEntry entry = new TarArchiveEntry("file-" + i);
                entry.setSize(bytes.length);
                tar.putArchiveEntry(entry);
                tar.write(bytes);
                tar.closeArchiveEntry();
            }
        }
        return all.toByteArray();
    }

    private void push(String through) throws IOException, InterruptedException {
        byte[] blob = layer();
        String digest = RegistryCaller.digest(blob);
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(Optional.ofNullable(uris.get(through))
                                .orElseThrow()
                                .resolve("/v2/a/blobs/uploads/?digest=" + digest))
                        .POST(BodyPublishers.ofByteArray(blob))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        blobs.put(digest, blob);
    }

    private void settle(String node) throws IOException, InterruptedException {
        OwnSide.awaitSplit(Optional.ofNullable(running.get(node)).orElseThrow());
    }

    private String ask(String method, String node, String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(Optional.ofNullable(uris.get(node))
                                .orElseThrow()
                                .resolve("/_packing/node/" + path))
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    /** Mends all layers. A node that has just started may learn only by its first, vain call that another one is silent. */
    private void mend(String node, String path) throws IOException, InterruptedException {
        if (!ask("POST", node, path).contains("\"failed\":0")) {
            assertThat(ask("POST", node, path)).contains("\"failed\":0");
        }
    }

    private void areGivenByAll(String when) throws IOException, InterruptedException {
        for (String node : running.keySet()) {
            for (Map.Entry<String, byte[]> blob : blobs.entrySet()) {
                HttpResponse<byte[]> answer = http.send(
                        HttpRequest.newBuilder(Optional.ofNullable(uris.get(node))
                                        .orElseThrow()
                                        .resolve("/v2/a/blobs/" + blob.getKey()))
                                .build(),
                        BodyHandlers.ofByteArray());
                assertThat(answer.statusCode())
                        .as("%s: %s from %s", when, blob.getKey(), node)
                        .isEqualTo(200);
                assertThat(answer.body())
                        .as("%s: %s from %s", when, blob.getKey(), node)
                        .isEqualTo(blob.getValue());
            }
        }
    }

    @Test
    void digestsHoldWhileNodesAreKilledComeBackAndAreFull() throws Exception {
        try (Workspace workspace = Workspace.create("packing-nodes")) {
            EngineRig rig = EngineRig.start(workspace, S3Process.Limits.NONE, 1, MOUNT);
            List<String> lines = new ArrayList<>();
            for (String node : List.of("p0", "p1", "d0", "d1", "d2")) {
                uris.put(node, URI.create("http://127.0.0.1:" + Ports.free(1).get(0)));
                lines.add("%s %s %s".formatted(node, node.startsWith("p") ? "primary" : "dedup", uris.get(node)));
            }
            Files.write(workspace.directory().resolve("nodes"), lines);
            for (String node : uris.keySet()) {
                // One has room for the first layers only.
                String[] more = node.equals("d2") ? new String[] {"--node-bytes", "4MB"} : new String[0];
                start(workspace, rig, node, more);
            }
            for (String node : uris.keySet()) {
                push(node);
                settle(node);
            }
            assertThat(bytes(workspace, "d2")).as("the node without room").isBetween(1L, 4L << 20);
            areGivenByAll("all answer");
            kill("p0");
            kill("d0");
            areGivenByAll("a node of each role was killed");
            push("p1");
            settle("p1");
            push("d1");
            settle("d1");
            areGivenByAll("pushes went on");
            // One of two dedup nodes is full, so new files cannot have two replicas: such blobs stayed in the mount.
            start(workspace, rig, "d0");
            mend("d0", "mend");
            areGivenByAll("the old disk is back");
            kill("d1");
            areGivenByAll("another dedup node was killed");
            start(workspace, rig, "d1");
            start(workspace, rig, "p0");
            mend("p0", "mend?scrub=true");
            for (String node : List.of("p0", "p1")) {
                kill(node);
            }
            areGivenByAll("layers are put together of files");
        }
    }
}
