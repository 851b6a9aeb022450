// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.placement.ReplicaMode;
import io.packing.process.Ports;
import io.packing.registry.access.Access;
import io.packing.registry.nodes.NodeList;
import io.packing.registry.nodes.NodeOptions;
import io.packing.registry.nodes.NodeRole;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Three P-servers and three D-servers of one JVM; any of them may run. */
final class TestNodes implements AutoCloseable {
    static final int REPLICAS = 3;

    private final Path home;
    private final TestMount mount;
    private final NodeList list;
    private final Map<String, RegistryServer> running = new LinkedHashMap<>();

    /** @param mount the caller closes it */
    TestNodes(Path home, TestMount mount) throws IOException {
        this.home = home;
        this.mount = mount;
        List<NodeList.Member> members = new ArrayList<>();
        for (int i = 0; i < REPLICAS; i++) {
            members.add(new NodeList.Member("p" + i, NodeRole.PRIMARY, free()));
            members.add(new NodeList.Member("d" + i, NodeRole.DEDUP, free()));
        }
        list = new NodeList(members);
    }

    private static URI free() throws IOException {
        return URI.create("http://127.0.0.1:" + Ports.free(1).get(0));
    }

    NodeList list() {
        return list;
    }

    /** Returns the names of the running nodes. */
    Set<String> running() {
        return running.keySet();
    }

    void start(String name, String mode, long capacity, String key) throws IOException {
        NodeOptions self = new NodeOptions(
                name, list, home.resolve("node-" + name), capacity, REPLICAS, ReplicaMode.named(mode), key);
        RegistryOptions config = TestRegistries.config("/registry", true)
                .withAddress("127.0.0.1", uri(name).getPort())
                .withNode(Optional.of(self));
        running.put(name, RegistryServer.start(config, mount.files(), Access.OPEN, new SimpleMeterRegistry()));
    }

    void startAll(String mode) throws IOException {
        for (NodeList.Member each : list.nodes()) {
            start(each.name(), mode, Long.MAX_VALUE, "");
        }
    }

    void stop(String name) throws IOException {
        Optional.ofNullable(running.remove(name)).orElseThrow().close();
    }

    void awaitPushed(String name) throws InterruptedException {
        Optional.ofNullable(running.get(name)).orElseThrow().awaitPushed();
    }

    private URI uri(String name) {
        return list.nodes().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow()
                .uri();
    }

    RegistryClient client(String name) {
        return new RegistryClient(uri(name));
    }

    JsonNode mend(String name) throws IOException, InterruptedException {
        return mend(name, "");
    }

    JsonNode scrub(String name) throws IOException, InterruptedException {
        return mend(name, "?scrub=true");
    }

    JsonNode mend(String name, String query) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = client(name).ask("POST", "/_packing/node/mend" + query, new byte[0]);
        assertThat(answer.statusCode()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.body()).path("report");
    }

    /** Returns the pulls of each layer, summed over the running nodes. */
    Map<String, Long> pulls() throws IOException, InterruptedException {
        Map<String, Long> pulls = new TreeMap<>();
        for (String name : running()) {
            HttpResponse<byte[]> answer = client(name).get("/_packing/node/status");
            new ObjectMapper()
                    .readTree(answer.body())
                    .path("pulls")
                    .properties()
                    .forEach(each -> pulls.merge(each.getKey(), each.getValue().asLong(), Long::sum));
        }
        return pulls;
    }

    /** Returns a node's files of a kind. */
    List<Path> files(String name, String kind) throws IOException {
        try (Stream<Path> all = Files.walk(home.resolve("node-" + name))) {
            return all.filter(Files::isRegularFile)
                    .filter(each -> each.toString().contains("/" + kind + "/"))
                    .toList();
        }
    }

    /** Bytes of the whole layers that a node has. */
    long layerBytes(String name) throws IOException {
        return bytes(name, "layers");
    }

    private long bytes(String name, String kind) throws IOException {
        long bytes = 0;
        for (Path file : files(name, kind)) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    /** Bytes of all nodes of a role. */
    long stored(NodeRole role) throws IOException {
        long bytes = 0;
        for (String name : list.names(role)) {
            bytes += bytes(name, role == NodeRole.PRIMARY ? "layers" : "files");
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        for (String name : List.copyOf(running.keySet())) {
            stop(name);
        }
    }
}
