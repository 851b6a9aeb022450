// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.placement.FileIndex;
import io.packing.placement.StoredFile;
import io.packing.registry.dedup.LayerNodes;
import io.packing.registry.oci.Digest;
import io.packing.registry.store.WholeCopies;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The layers of a cluster. It sends whole ones, and files of split ones, to nodes, and reads whole ones. Thread-safe.
 */
public final class ClusterLayers implements LayerNodes, WholeCopies {
    private final Cluster cluster;
    private final ClusterContents contents;

    ClusterLayers(Cluster cluster, ClusterContents contents) {
        this.cluster = cluster;
        this.contents = contents;
    }

    static List<StoredFile> stored(Map<String, Long> files) {
        return files.entrySet().stream()
                .map(each -> new StoredFile(each.getKey(), each.getValue()))
                .toList();
    }

    @Override
    public int splitReplicas() {
        return cluster.replicas() - cluster.mode().least(cluster.replicas());
    }

    @Override
    public void storeWhole(Digest digest, long length, Bytes blob) throws IOException {
        storeWhole(digest, length, blob, cluster.mode().least(cluster.replicas()));
    }

    /**
     * Sees to it that so many nodes have a blob whole.
     *
     * @return copies that were made
     */
    int storeWhole(Digest digest, long length, Bytes blob, int wanted) throws IOException {
        int there = 0;
        int made = 0;
        for (String name : cluster.primaries(digest.toString())) {
            if (there == wanted) {
                break;
            }
            if (!cluster.lives(name)) {
                continue;
            }
            try {
                if (!cluster.ask(name, node -> node.hasLayer(digest))) {
                    cluster.order(name, node -> node.putLayer(digest, length, blob::open));
                    made++;
                }
                there++;
            } catch (IOException e) {
                // The next one on the ring gets it.
            }
        }
        if (there < wanted) {
            throw new IOException("blob %s has %d of %d whole replicas: too few primary nodes take it"
                    .formatted(digest, there, wanted));
        }
        return made;
    }

    @Override
    public Placing place(Map<String, Long> files) throws IOException {
        return place(files, splitReplicas());
    }

    Spread place(Map<String, Long> files, int replicas) throws IOException {
        Collection<StoredFile> stored = stored(files);
        FileIndex index = contents.index(stored);
        if (index.nodes().size() < replicas) {
            throw new IOException("%d of %d nodes that split replicas need answer"
                    .formatted(index.nodes().size(), replicas));
        }
        return new Spread(cluster, index.add(stored, replicas));
    }

    @Override
    public InputStream open(Digest digest, long length, long position) throws IOException {
        WholeStream stream = new WholeStream(cluster, digest, length, position);
        try {
            stream.start();
            return stream;
        } catch (FileNotFoundException e) {
            stream.close();
            throw e;
        }
    }

    @Override
    public void doubt(Digest digest, Collection<String> files) {
        for (String name : cluster.living(NodeRole.DEDUP)) {
            try {
                for (String hex : files) {
                    cluster.order(name, node -> node.checkFile(hex));
                }
            } catch (IOException e) {
                // The next reader of these files doubts again.
            }
        }
        for (String name : cluster.living(NodeRole.PRIMARY)) {
            try {
                cluster.order(name, node -> node.checkLayer(digest));
            } catch (IOException e) {
                // The next reader of its copy doubts again.
            }
        }
    }
}
