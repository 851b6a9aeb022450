// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.placement.FileIndex;
import io.packing.placement.ReplicaMode;
import io.packing.placement.StoredFile;
import io.packing.registry.dedup.NodeSplit;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.BlobContent;
import io.packing.registry.store.Blobs;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every layer the replicas again that it should have: after the loss of a node, after nodes were added, and, in S-mode, when its
 * popularity changed (§4.2). Whole replicas that no mode wants go when those that it wants are there. Thread-safe; two that mend do some
 * work twice.
 */
public final class NodeMender {
    private static final Logger LOG = LoggerFactory.getLogger(NodeMender.class);

    private final Cluster cluster;
    private final ClusterLayers layers;
    private final ClusterContents contents;
    private final NodeSplit split;
    private final Blobs blobs;
    private final RegistryFiles files;
    private final Layout layout;
    private final Mover mover;

    /** Moves a blob from the mount to the nodes. */
    public interface Mover {
        /** Does so, unless it was done. */
        void move(Digest digest) throws IOException;
    }

    /** @param mover of blobs for which too few nodes answered when they were pushed */
    NodeMender(
            Cluster cluster,
            ClusterLayers layers,
            ClusterContents contents,
            NodeSplit split,
            Blobs blobs,
            RegistryFiles files,
            Layout layout,
            Mover mover) {
        this.mover = mover;
        this.cluster = cluster;
        this.layers = layers;
        this.contents = contents;
        this.split = split;
        this.blobs = blobs;
        this.files = files;
        this.layout = layout;
    }

    /**
     * Further work of a run.
     *
     * @param scrub whether all nodes first look for rotten bytes
     * @param garbage the age from which layers and files without a blob are deleted; empty: none are
     */
    public record Options(boolean scrub, Optional<Duration> garbage) {
        /** Nothing. */
        public static final Options NONE = new Options(false, Optional.empty());
    }

    /**
     * The results of a run.
     *
     * @param blobs that were looked at
     * @param wholeCopies whole replicas that were made
     * @param wholeDeleted whole replicas that the mode does not want any more
     * @param files that got new replicas
     * @param garbage layers and files that were deleted, since no blob has them
     * @param failed blobs that do not have all their replicas
     * @param silent nodes that did not answer
     */
    public record Report(
            long blobs,
            @JsonProperty("whole_copies") long wholeCopies,
            @JsonProperty("whole_deleted") long wholeDeleted,
            long files,
            long garbage,
            long failed,
            List<String> silent) {
        public Report {
            silent = List.copyOf(silent);
        }
    }

    /** Counts of a run. */
    private static final class Counts {
        private long blobs;
        private long wholeCopies;
        private long wholeDeleted;
        private long files;
        private long garbage;
        private long failed;
    }

    /** Mends all blobs, with the nodes that answer now. */
    public Report run(Options options) throws IOException {
        if (options.scrub()) {
            scrub();
        }
        Set<String> wanted = new HashSet<>();
        Map<String, Integer> whole = whole();
        int least = cluster.mode().least(cluster.replicas());
        Counts counts = new Counts();
        new Tree(files, layout).below(layout.blobs(), 3, blob -> {
            Optional<Digest> digest = Layout.digestOfBlob(blob.path());
            if (digest.isPresent()) {
                counts.blobs++;
                wanted.add(digest.get().toString());
                try {
                    mover.move(digest.get());
                    if (options.garbage().isPresent()) {
                        wanted.addAll(split.contents(digest.get()).keySet());
                    }
                    mend(digest.get(), whole.getOrDefault(digest.get().toString(), least), counts);
                } catch (FileNotFoundException e) {
                    LOG.error("blob {} cannot be mended, its bytes are nowhere: {}", digest.get(), e.getMessage());
                    counts.failed++;
                } catch (IOException e) {
                    LOG.warn("blob {} does not have all its replicas: {}", digest.get(), e.getMessage());
                    counts.failed++;
                }
            }
        });
        // The files of a failed blob are unknown, so no file counts as garbage then.
        if (options.garbage().isPresent() && counts.failed == 0) {
            collect(wanted, options.garbage().get(), counts);
        }
        List<String> silent = Stream.of(NodeRole.values())
                .flatMap(role -> cluster.all(role).stream())
                .filter(name -> !cluster.lives(name))
                .sorted()
                .toList();
        return new Report(
                counts.blobs,
                counts.wholeCopies,
                counts.wholeDeleted,
                counts.files,
                counts.garbage,
                counts.failed,
                silent);
    }

    /** Returns the number of whole replicas for each pulled layer. */
    private Map<String, Integer> whole() {
        Map<String, Long> pulls = new HashMap<>();
        long bytes = 0;
        for (NodeRole role : NodeRole.values()) {
            for (String name : cluster.all(role)) {
                try {
                    PeerNode.Status status = cluster.ask(name, PeerNode::status);
                    status.pulls().forEach((layer, count) -> pulls.merge(layer, count, Long::sum));
                    bytes += status.bytes();
                } catch (IOException e) {
                    // It is silent from now on.
                }
            }
        }
        List<ReplicaMode.Pulled> pulled = new ArrayList<>();
        pulls.forEach((layer, count) ->
                length(layer).ifPresent(length -> pulled.add(new ReplicaMode.Pulled(layer, length, count))));
        return cluster.mode().whole(cluster.replicas(), pulled, bytes);
    }

    /** Returns the length of a pulled layer; empty when it is not there any more, and counts no more. */
    private OptionalLong length(String layer) {
        try {
            Optional<BlobContent> blob = blobs.find(Digest.parse(layer));
            return blob.isPresent() ? OptionalLong.of(blob.get().length()) : OptionalLong.empty();
        } catch (OciException | IOException e) {
            LOG.warn("layer {} is not counted among those that are pulled: {}", layer, e.getMessage());
            return OptionalLong.empty();
        }
    }

    /**
     * Deletes layers and files that no blob has any more. Those that came, or were requested, within the age may belong
     * to a push that has not ended.
     */
    private void collect(Set<String> wanted, Duration age, Counts counts) {
        for (String name : cluster.living(NodeRole.PRIMARY)) {
            delete(name, wanted, node -> node.oldLayers(age), NodeMender::deleteLayer, counts);
        }
        for (String name : cluster.living(NodeRole.DEDUP)) {
            delete(name, wanted, node -> node.oldFiles(age), PeerNode::deleteFile, counts);
        }
    }

    /** Deletes one of the things that a node has. */
    private interface Deletion {
        void from(PeerNode node, String what) throws IOException;
    }

    private static void deleteLayer(PeerNode node, String digest) throws IOException {
        try {
            node.deleteLayer(Digest.parse(digest));
        } catch (OciException e) {
            throw new IOException(e);
        }
    }

    private void delete(
            String name, Set<String> wanted, Cluster.Question<List<String>> old, Deletion deletion, Counts counts) {
        try {
            for (String each : cluster.ask(name, old)) {
                if (!wanted.contains(each)) {
                    cluster.order(name, node -> deletion.from(node, each));
                    counts.garbage++;
                }
            }
        } catch (IOException e) {
            LOG.warn("garbage stays at node {}: {}", name, e.getMessage());
        }
    }

    private void scrub() {
        for (NodeRole role : NodeRole.values()) {
            for (String name : cluster.all(role)) {
                try {
                    long deleted = cluster.ask(name, PeerNode::scrub);
                    if (deleted > 0) {
                        LOG.warn("node {} had {} layers and files of wrong bytes", name, deleted);
                    }
                } catch (IOException e) {
                    // It is silent from now on.
                }
            }
        }
    }

    private void mend(Digest digest, int intact, Counts counts) throws IOException {
        BlobContent blob = blobs.find(digest).orElseThrow(() -> new FileNotFoundException("there is no " + digest));
        Map<String, Long> lengths = split.contents(digest);
        // Files first: a whole replica goes only when they are there.
        spread(digest, blob, lengths, cluster.replicas() - intact, counts);
        counts.wholeCopies += layers.storeWhole(digest, blob.length(), () -> blob.open(0), intact);
        int kept = 0;
        for (String name : cluster.primaries(digest.toString())) {
            if (cluster.lives(name) && cluster.ask(name, node -> node.hasLayer(digest)) && ++kept > intact) {
                cluster.order(name, node -> node.deleteLayer(digest));
                counts.wholeDeleted++;
            }
        }
    }

    private void spread(Digest digest, BlobContent blob, Map<String, Long> lengths, int replicas, Counts counts)
            throws IOException {
        List<StoredFile> stored = ClusterLayers.stored(lengths);
        FileIndex before = contents.index(stored);
        Spread spread = layers.place(lengths, replicas);
        for (StoredFile file : stored) {
            if (spread.wants(file.id())) {
                counts.files++;
                if (!before.nodesOf(file).isEmpty()) {
                    try (InputStream bytes = new ContentStream(contents, file)) {
                        spread.put(file.id(), bytes, file.bytes());
                    }
                }
            }
        }
        if (stored.stream().anyMatch(file -> spread.wants(file.id()))) {
            // No D-server has them: a whole replica does.
            split.send(digest, () -> blob.open(0), spread);
        }
        spread.finish();
    }
}
