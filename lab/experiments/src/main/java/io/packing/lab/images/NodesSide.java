// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.placement.ReplicaMode;
import io.packing.process.Ports;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.s3server.S3ServerMetrics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A registry whose nodes have stores of their own, each a process: as many as the mode wants of each role, and no more. Clients are served by
 * the first one.
 */
final class NodesSide implements RegistrySide {
    /** The number of replicas of each layer, in any form. */
    static final int REPLICAS = 3;

    private static final String NODES = "nodes";

    private final Workspace workspace;
    private final EngineRig rig;
    private final String mode;
    private final Map<String, URI> uris = new LinkedHashMap<>();
    private int started;

    private NodesSide(Workspace workspace, EngineRig rig, String mode) {
        this.workspace = workspace;
        this.rig = rig;
        this.mode = mode;
    }

    static NodesSide open(String name, Map<String, String> mountOptions, String mode)
            throws IOException, InterruptedException {
        Workspace workspace = Workspace.create(name);
        try {
            EngineRig rig = EngineRig.start(workspace, S3Process.Limits.NONE, 1, mountOptions);
            NodesSide side = new NodesSide(workspace, rig, mode);
            ReplicaMode replicas = ReplicaMode.named(mode);
            for (int i = 0; i < replicas.most(REPLICAS); i++) {
                side.uris.put("p" + i, free());
            }
            for (int i = 0; i < REPLICAS - replicas.least(REPLICAS); i++) {
                side.uris.put("d" + i, free());
            }
            List<String> lines = new ArrayList<>();
            side.uris.forEach((node, uri) -> lines.add("%s %s %s".formatted(node, role(node), uri)));
            Files.write(side.list(), lines);
            return side;
        } catch (IOException | InterruptedException | RuntimeException e) {
            workspace.close();
            throw e;
        }
    }

    private static URI free() throws IOException {
        return URI.create("http://127.0.0.1:" + Ports.free(1).get(0));
    }

    private static String role(String node) {
        return node.startsWith("p") ? "primary" : "dedup";
    }

    private Path list() {
        return workspace.directory().resolve(NODES);
    }

    private EngineRig.Registry start(String node, URI uri, List<String> flags)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "--role",
                role(node),
                "--node",
                node,
                "--node-dir",
                workspace.directory().resolve("store-" + node).toString(),
                "--nodes",
                list().toString(),
                "--mode",
                mode));
        words.addAll(flags);
        return rig.startNode(workspace, node + "-" + started, uri.getAuthority(), words);
    }

    @Override
    public Running start(List<String> flags) throws IOException, InterruptedException {
        started++;
        List<EngineRig.Registry> all = new ArrayList<>();
        for (Map.Entry<String, URI> each : uris.entrySet()) {
            all.add(start(each.getKey(), each.getValue(), flags));
        }
        return new Running() {
            @Override
            public URI uri() {
                return all.get(0).uri();
            }

            @Override
            public void settle() throws IOException, InterruptedException {
                OwnSide.awaitSplit(all.get(0));
            }

            @Override
            public void close() {
                all.forEach(each -> each.process().close());
            }
        };
    }

    /** Gives all layers the replicas that they should have now. */
    void mend() throws IOException, InterruptedException {
        String unused = ask("POST", uris.values().iterator().next(), "mend");
    }

    private static String ask(String method, URI node, String what) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(node.resolve("/_packing/node/" + what))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("%s: status %d: %s".formatted(request.uri(), answer.statusCode(), answer.body()));
        }
        return answer.body();
    }

    @Override
    public void flush() throws IOException, InterruptedException {
        try (EngineRig.Client client = rig.client()) {
            client.mount().flush();
            client.mount().bdt().checkpoint();
        }
    }

    /** {@inheritDoc} Those of all nodes, and recipes in the mount. */
    @Override
    public long storedBytes() throws IOException {
        long bytes = 0;
        for (String node : uris.keySet()) {
            Path store = workspace.directory().resolve("store-" + node);
            if (Files.exists(store)) {
                try (Stream<Path> files = Files.walk(store)) {
                    bytes += files.filter(Files::isRegularFile)
                            .mapToLong(file -> file.toFile().length())
                            .sum();
                }
            }
        }
        try (EngineRig.Client client = rig.client()) {
            return bytes + client.mount().bdt().statistics().packedBytes();
        }
    }

    @Override
    public S3ServerMetrics.Counts requests() throws IOException, InterruptedException {
        return rig.s3().metrics().prefix(EngineRig.PACKED);
    }

    @Override
    public void close() throws IOException {
        workspace.close();
    }
}
