// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.registry.dedup.ContentSource;
import io.packing.registry.dedup.NodeSplit;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.store.Blobs;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node as a registry process has it: its store, and the other nodes as it sees them. Thread-safe. */
public final class RegistryNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryNode.class);

    private final NodeOptions config;
    private final NodeStore store;
    private final Cluster cluster;
    private final ClusterContents contents;
    private final ClusterLayers layers;
    private final NodeService service;

    private RegistryNode(NodeOptions config, NodeStore store, LongSupplier nanoClock) {
        this.config = config;
        this.store = store;
        PullCounts pulls = new PullCounts();
        this.cluster = new Cluster(config, store, pulls, nanoClock);
        this.contents = new ClusterContents(cluster);
        this.layers = new ClusterLayers(cluster, contents);
        this.service = new NodeService(store, pulls, config.key(), new AtomicReference<>());
    }

    /**
     * Opens the store of a node.
     *
     * @param nanoClock {@code System::nanoTime}
     * @param millis the time, milliseconds since the epoch
     */
    public static RegistryNode open(NodeOptions config, LongSupplier nanoClock, LongSupplier millis)
            throws IOException {
        return new RegistryNode(config, NodeStore.open(config.directory(), config.capacity(), millis), nanoClock);
    }

    /** Returns the source of the layers' files. */
    public ContentSource contents() {
        return contents;
    }

    /** Returns the whole layers of all nodes, to which new ones go, too. */
    public ClusterLayers layers() {
        return layers;
    }

    /** Returns the service of this node for the others. */
    public NodeService service() {
        return service;
    }

    /** Sets the layers to mend; before that the node mends nothing. */
    public void watch(NodeSplit split, Blobs blobs, RegistryFiles files, Layout layout, NodeMender.Mover mover) {
        service.mender().set(new NodeMender(cluster, layers, contents, split, blobs, files, layout, mover));
    }

    /**
     * Mends all layers, when that is this node's turn: it is the first by name of those that answer. As long as some node is silent, and
     * was not for the time after which it is lost, nothing is copied: it may come back.
     */
    public void step() throws IOException {
        List<String> all = Stream.of(NodeRole.values())
                .flatMap(role -> cluster.all(role).stream())
                .sorted()
                .toList();
        for (String name : all) {
            try {
                PeerNode.Status unused = cluster.ask(name, PeerNode::status);
            } catch (IOException e) {
                // It is silent; for how long, the cluster knows.
            }
        }
        boolean isTurn = all.stream()
                .filter(cluster::lives)
                .findFirst()
                .filter(config.name()::equals)
                .isPresent();
        if (isTurn && all.stream().noneMatch(cluster::mayComeBack)) {
            NodeMender.Report report = service.mend(NodeMender.Options.NONE);
            if (report.wholeCopies() + report.files() + report.wholeDeleted() + report.failed() > 0) {
                LOG.info("layers were mended: {}", report);
            }
        }
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
