// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of containerd on snapshots. A snapshot is <i>remote</i> if it is of layers that a registry has: it has no files on
 * this machine, and its mount has the merged tree of all of its layers. Thread-safe.
 */
public final class ContainerdSnapshots implements AutoCloseable {
    /** The label by which containerd asks for a snapshot by its chain id, before it fetches the layer. */
    public static final String REFERENCE = "containerd.io/snapshot.ref";

    /** The label by which kubelet's pulls name the digests of a layer and of all above it, with commas between them. */
    static final String LAYERS = "containerd.io/snapshot/cri.image-layers";

    private static final Logger LOG = LoggerFactory.getLogger(ContainerdSnapshots.class);
    private static final Path INDEX = Path.of("/sys/module/overlay/parameters/index");
    private static final String LABELS = "labels";

    private final SnapshotState state;
    private final ChainRoots roots;
    private final LongSupplier millis;

    private ContainerdSnapshots(SnapshotState state, ChainRoots roots, LongSupplier millis) {
        this.state = state;
        this.roots = roots;
        this.millis = millis;
    }

    /**
     * Opens the snapshots below a directory, and deletes what an ended process left there.
     *
     * @param millis the time, milliseconds since the epoch
     */
    public static ContainerdSnapshots open(Path directory, ChainRoots roots, LongSupplier millis) throws IOException {
        SnapshotState state = SnapshotState.open(directory);
        try {
            state.clean();
            return new ContainerdSnapshots(state, roots, millis);
        } catch (IOException | RuntimeException e) {
            state.close();
            throw e;
        }
    }

    /**
     * Makes a writable snapshot; returns its mounts.
     *
     * @throws SnapshotRefusal {@code ALREADY_EXISTS} also if the registry has the layers with the chain id in the
     *     label {@link #REFERENCE}: then a committed snapshot has this label
     */
    public List<SnapshotMount> prepare(String key, String parent, Map<String, String> labels)
            throws IOException, InterruptedException {
        Optional<Digest> wanted = wanted(labels);
        if (wanted.isPresent() && takeRemote(wanted.get(), parent, labels)) {
            LOG.info("the registry has the layers of {}", wanted.get());
            roots.ahead(wanted.get(), isLast(labels));
            throw SnapshotRefusal.exists(wanted.get().toString());
        }
        return make(key, parent, SnapshotKind.ACTIVE, labels);
    }

    /** Returns whether a layer is an image's highest: kubelet's pulls name the digests of a layer and of those above it. */
    private static boolean isLast(Map<String, String> labels) {
        String layers = labels.getOrDefault(LAYERS, "");
        return !layers.isEmpty() && layers.indexOf(',') < 0;
    }

    private static Optional<Digest> wanted(Map<String, String> labels) {
        try {
            String reference = labels.getOrDefault(REFERENCE, "");
            return reference.isEmpty() ? Optional.empty() : Optional.of(Digest.parse(reference));
        } catch (OciException e) {
            // The reference of another remote snapshotter.
            return Optional.empty();
        }
    }

    /** Returns whether a committed snapshot stands for the layers; makes it if the registry has them. */
    private boolean takeRemote(Digest chain, String parent, Map<String, String> labels) throws IOException {
        if (findRemote(chain, parent).isPresent()) {
            return true;
        }
        if (!roots.has(chain)) {
            return false;
        }
        synchronized (this) {
            if (findRemote(chain, parent).isEmpty()) {
                String text = chain.toString();
                // Another snapshot has the name if it is above unpacked layers, which each namespace has for itself.
                KeptSnapshot unused = state.add(id -> new KeptSnapshot(
                        id,
                        state.find(text).isEmpty() ? text : "%s-%d".formatted(text, id),
                        parent,
                        SnapshotKind.COMMITTED,
                        labels,
                        millis.getAsLong(),
                        millis.getAsLong(),
                        UpperUsage.NONE,
                        Optional.of(text)));
            }
        }
        return true;
    }

    private Optional<KeptSnapshot> findRemote(Digest chain, String parent) {
        return state.all().stream()
                .filter(each -> each.chain().filter(chain.toString()::equals).isPresent()
                        && each.parent().equals(parent))
                .findFirst();
    }

    /** Makes a snapshot for a reader; returns its mounts. */
    public List<SnapshotMount> view(String key, String parent, Map<String, String> labels)
            throws IOException, InterruptedException {
        return make(key, parent, SnapshotKind.VIEW, labels);
    }

    private List<SnapshotMount> make(String key, String parent, SnapshotKind kind, Map<String, String> labels)
            throws IOException, InterruptedException {
        if (key.isEmpty()) {
            throw new SnapshotRefusal(SnapshotRefusal.Reason.INVALID_ARGUMENT, "a snapshot needs a key");
        }
        // Before it is there: a client that tries again after a failure uses the same key.
        Lowers lowers = lowers(parent);
        KeptSnapshot made = state.add(id -> new KeptSnapshot(
                id,
                key,
                parent,
                kind,
                labels,
                millis.getAsLong(),
                millis.getAsLong(),
                UpperUsage.NONE,
                Optional.empty()));
        return List.of(mount(made, lowers));
    }

    /** Returns the mounts of a snapshot that is not committed. */
    public List<SnapshotMount> mounts(String key) throws IOException, InterruptedException {
        KeptSnapshot snapshot = stat(key);
        if (snapshot.kind() == SnapshotKind.COMMITTED) {
            throw new SnapshotRefusal(
                    SnapshotRefusal.Reason.FAILED_PRECONDITION, "snapshot %.300s is committed".formatted(key));
        }
        return List.of(mount(snapshot, lowers(snapshot.parent())));
    }

    /** The directories below a snapshot, from the highest to the lowest, and the registry's root below them. */
    private record Lowers(List<Path> directories, Optional<ChainRoot> remote) {}

    private Lowers lowers(String parent) throws IOException, InterruptedException {
        List<Path> directories = new ArrayList<>();
        for (String key = parent; !key.isEmpty(); ) {
            KeptSnapshot below = stat(key);
            if (below.chain().isPresent()) {
                return new Lowers(
                        directories, Optional.of(roots.root(digest(below.chain().get()))));
            }
            directories.add(state.upper(below));
            key = below.parent();
        }
        return new Lowers(directories, Optional.empty());
    }

    private static Digest digest(String text) throws IOException {
        try {
            return Digest.parse(text);
        } catch (OciException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private SnapshotMount mount(KeptSnapshot snapshot, Lowers lowers) {
        List<Path> directories = lowers.directories();
        boolean isView = snapshot.kind() == SnapshotKind.VIEW;
        List<String> options = new ArrayList<>();
        if (!isView) {
            if (Files.exists(INDEX)) {
                // An index needs handles of files, which FUSE does not have.
                options.add("index=off");
            }
            options.add("workdir=" + state.work(snapshot));
            options.add("upperdir=" + state.upper(snapshot));
        }
        if (lowers.remote().isPresent()) {
            ChainRoot root = lowers.remote().get();
            // The mount of a registry's trees has nosuid, which a bind of it would keep. An overlay without an upper
            // directory takes two
            // lower ones.
            boolean isAlone = isView && directories.isEmpty() && root.metadata().isEmpty();
            return isAlone
                    ? SnapshotMount.overlay(List.of(root.tree(), state.empty()), options)
                    : SnapshotMount.ofRoot(directories, root, options);
        }
        if (directories.isEmpty()) {
            return SnapshotMount.bind(state.upper(snapshot), isView);
        }
        return isView && directories.size() == 1
                ? SnapshotMount.bind(directories.get(0), true)
                : SnapshotMount.overlay(directories, options);
    }

    /** Makes a writable snapshot unchangeable, under a name. */
    public void commit(String name, String key, Map<String, String> labels) throws IOException {
        KeptSnapshot active = stat(key);
        if (active.kind() != SnapshotKind.ACTIVE) {
            throw new SnapshotRefusal(
                    SnapshotRefusal.Reason.FAILED_PRECONDITION, "snapshot %.300s is not active".formatted(key));
        }
        if (name.isEmpty()) {
            throw new SnapshotRefusal(SnapshotRefusal.Reason.INVALID_ARGUMENT, "a committed snapshot needs a name");
        }
        if (name.equals(key)) {
            throw SnapshotRefusal.exists(name);
        }
        UpperUsage usage = UpperUsage.of(state.upper(active));
        state.replace(active, active.committed(name, labels, millis.getAsLong(), usage));
    }

    /** Removes a snapshot that is the parent of none. */
    public void remove(String key) throws IOException {
        state.remove(key);
    }

    /** Returns a snapshot. */
    public KeptSnapshot stat(String key) throws SnapshotRefusal {
        return state.find(key).orElseThrow(() -> SnapshotRefusal.missing(key));
    }

    /** Returns all snapshots. */
    public List<KeptSnapshot> list() {
        return state.all();
    }

    /**
     * Changes labels of a snapshot; returns it.
     *
     * @param fields {@code labels} for all, {@code labels.NAME} for one; empty: all
     */
    public KeptSnapshot update(String key, Map<String, String> labels, List<String> fields) throws IOException {
        KeptSnapshot before = stat(key);
        Map<String, String> after = new HashMap<>(fields.isEmpty() ? labels : before.labels());
        for (String field : fields) {
            if (field.equals(LABELS)) {
                after.clear();
                after.putAll(labels);
            } else if (field.startsWith(LABELS + ".")) {
                String name = field.substring(LABELS.length() + 1);
                String value = labels.get(name);
                if (value == null) {
                    after.remove(name);
                } else {
                    after.put(name, value);
                }
            } else {
                throw new SnapshotRefusal(
                        SnapshotRefusal.Reason.INVALID_ARGUMENT,
                        "field %.300s of a snapshot cannot be changed".formatted(field));
            }
        }
        KeptSnapshot changed = before.withLabels(after, millis.getAsLong());
        state.replace(before, changed);
        return changed;
    }

    /** Returns the space of a snapshot's own files. What a registry has is no snapshot's. */
    public UpperUsage usage(String key) throws IOException {
        KeptSnapshot snapshot = stat(key);
        return snapshot.kind() == SnapshotKind.COMMITTED ? snapshot.usage() : UpperUsage.of(state.upper(snapshot));
    }

    /** Deletes the directories of removed snapshots, and gives up trees of registries that no snapshot has. */
    public void cleanup() throws IOException, InterruptedException {
        state.clean();
        roots.keepOnly(this::chains);
    }

    private Set<Digest> chains() {
        Set<Digest> chains = new HashSet<>();
        for (String text :
                state.all().stream().flatMap(each -> each.chain().stream()).collect(Collectors.toSet())) {
            wanted(Map.of(REFERENCE, text)).ifPresent(chains::add);
        }
        return chains;
    }

    @Override
    public void close() {
        state.close();
    }
}
