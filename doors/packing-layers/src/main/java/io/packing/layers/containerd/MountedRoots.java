// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import io.packing.durable.DurableFile;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.layers.root.Containers;
import io.packing.registry.files.Layout;
import io.packing.registry.oci.Digest;
import io.packing.registry.store.ChainedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trees of chains as containers of the registry, which a read-only mount of all roots shows. This machine has one container
 * for each chain, that all snapshots above it share: the kernel has a file of them once. The registry is opened by the
 * first call that needs it, since containerd starts this process before the cluster's masters may be there. The mount
 * outlives this process.
 */
public final class MountedRoots implements ChainRoots, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MountedRoots.class);
    private static final String MACHINE = "machine";
    private static final String BEGINNING = "containerd.";

    private final RootsOpener opener;
    private final Path directory;
    /** The names of this machine's containers begin so. */
    private final String prefix;
    /** The names that were there when this process asked last. */
    private final Set<String> known = new HashSet<>();

    private Optional<OpenedRoots> opened = Optional.empty();

    /** A way to the registry. */
    public interface RootsOpener {
        /**
         * Opens the registry.
         *
         * @throws IOException when the masters do not answer
         */
        OpenedRoots open() throws IOException;
    }

    private MountedRoots(RootsOpener opener, Path directory, String prefix) {
        this.opener = opener;
        this.directory = directory;
        this.prefix = prefix;
    }

    /**
     * Makes them without a connection.
     *
     * @param state a directory of this machine, which keeps its name among the machines of the registry
     * @param directory where the roots are mounted
     */
    public static MountedRoots of(Path state, Path directory, RootsOpener opener) throws IOException {
        Path file = state.resolve(MACHINE);
        if (Files.notExists(file)) {
            DurableFile.write(state, MACHINE, UUID.randomUUID().toString().replace("-", ""));
        }
        String machine = Files.readString(file).strip();
        if (!machine.matches("[0-9a-f]{32}")) {
            throw new IOException("%s is damaged: it has 32 hexadecimal digits".formatted(file));
        }
        return new MountedRoots(opener, directory, BEGINNING + machine + ".");
    }

    private synchronized OpenedRoots open() throws IOException {
        if (opened.isEmpty()) {
            opened = Optional.of(opener.open());
        }
        return opened.get();
    }

    private String name(Digest chain) {
        return prefix + chain.hex();
    }

    @Override
    public boolean has(Digest chain) throws IOException {
        return open().registry().chains().find(chain).isPresent();
    }

    @Override
    public synchronized Path root(Digest chain) throws IOException, InterruptedException {
        String name = name(chain);
        if (!known.contains(name)) {
            create(name, chain);
            known.add(name);
        }
        mount();
        return directory.resolve(name).resolve(Layout.ROOT);
    }

    /** Mounts the roots, unless they are mounted. The first container on a machine need not wait for it then. */
    public synchronized void mount() throws IOException, InterruptedException {
        boolean isMounted = KernelMountTable.typeAt(directory)
                        .filter(type -> type.startsWith("fuse"))
                        .isPresent()
                && !KernelMountTable.isDead(directory);
        if (!isMounted) {
            OpenedRoots open = open();
            LOG.info("mounts roots at {}", directory);
            Object unused = open.roots().start(open.registry().files());
        }
    }

    private void create(String name, Digest chain) throws IOException {
        Containers containers = open().containers();
        if (containers.exists(name)) {
            return;
        }
        Optional<ChainedImage> image = open().registry().chains().find(chain);
        if (image.isEmpty()) {
            throw new SnapshotRefusal(
                    SnapshotRefusal.Reason.NOT_FOUND,
                    "the registry no longer has layers with the chain id %s: remove the image here, and pull it again"
                            .formatted(chain));
        }
        Object unused = containers.create(name, image.get());
    }

    @Override
    public synchronized void keepOnly(Supplier<Set<Digest>> chains) throws IOException {
        Containers containers = open().containers();
        Set<String> kept = chains.get().stream().map(this::name).collect(Collectors.toSet());
        for (String name : containers.names(prefix)) {
            if (!kept.contains(name)) {
                known.remove(name);
                boolean unused = containers.remove(name);
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (opened.isPresent()) {
            opened.get().registry().close();
            opened.get().closing().close();
            opened = Optional.empty();
        }
    }
}
