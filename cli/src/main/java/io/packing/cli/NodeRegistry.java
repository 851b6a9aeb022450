// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.placement.ReplicaMode;
import io.packing.registry.nodes.NodeList;
import io.packing.registry.nodes.NodeOptions;
import io.packing.registry.nodes.NodeRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A registry that is a node with a store of its own. */
final class NodeRegistry {
    @Option(
            names = "--role",
            paramLabel = "primary|dedup",
            converter = Values.Role.class,
            description =
                    "Makes the registry a node that keeps whole layers, or files of layers; needs --node, --node-dir and "
                            + "--nodes.")
    private @Nullable NodeRole role;

    @Option(names = "--node", paramLabel = "NAME", description = "The name of this node in the list of nodes.")
    private @Nullable String name;

    @Option(
            names = "--node-dir",
            paramLabel = "DIR",
            description = "Where this node keeps layers or files of layers; a directory on a local disk.")
    private @Nullable Path directory;

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            description =
                    "The list of nodes, the same for all of them: a node a line, NAME primary|dedup http://HOST:PORT.")
    private @Nullable Path list;

    @Option(
            names = "--replicas",
            paramLabel = "R",
            converter = Values.Replicas.class,
            defaultValue = "3",
            description = "Replicas of each layer, whole and split ones together (default: ${DEFAULT-VALUE}).")
    private int replicas;

    @Option(
            names = "--mode",
            paramLabel = "b0|b1|…|s|s5%%",
            converter = Values.Mode.class,
            defaultValue = "b1",
            description =
                    "The number of replicas that stay whole. bN keeps N. s keeps one, and more where pulls of the layer repay them."
                            + " s5%% keeps one of each of the most pulled layers, in 5%% of the storage"
                            + " (default: ${DEFAULT-VALUE}).")
    private ReplicaMode mode = ReplicaMode.named("b1");

    @Option(
            names = "--node-bytes",
            paramLabel = "SIZE",
            converter = ByteSize.class,
            description = "Bytes that this node keeps, at most; without it, as many as its disk has room for.")
    private @Nullable Long capacity;

    @Option(
            names = "--node-key",
            paramLabel = "FILE",
            description =
                    "A file with a secret that all nodes share, in one line. Without it only processes of this machine are taken for"
                            + " nodes.")
    private @Nullable Path key;

    /** Returns the configuration from the options; empty: the registry has no store of its own. */
    Optional<NodeOptions> config() throws IOException {
        if (role == null) {
            return Optional.empty();
        }
        if (name == null || directory == null || list == null) {
            throw new IllegalArgumentException("--role needs --node, --node-dir and --nodes");
        }
        NodeOptions config = new NodeOptions(
                name,
                NodeList.parse(Files.readAllLines(list)),
                directory,
                capacity == null ? Long.MAX_VALUE : capacity,
                replicas,
                mode,
                secret(Optional.ofNullable(key)));
        if (config.role() != role) {
            throw new IllegalArgumentException(
                    "--role: node %s is %s in %s".formatted(name, config.role().text(), list));
        }
        return Optional.of(config);
    }

    /** The secret in a file; empty without one. */
    static String secret(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            return "";
        }
        String secret = Files.readString(file.get()).strip();
        if (secret.length() < 16) {
            throw new IllegalArgumentException(
                    "--node-key: the secret in %s is shorter than 16 characters; openssl rand -base64 32 makes one"
                            .formatted(file.get()));
        }
        return secret;
    }
}
