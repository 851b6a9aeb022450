// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import io.packing.durable.DurableFile;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.layers.root.ChainRehearsal;
import io.packing.layers.root.Containers;
import io.packing.layers.root.MetadataImages;
import io.packing.registry.files.Layout;
import io.packing.registry.oci.Digest;
import io.packing.registry.store.ChainedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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
    private static final String METADATA = "metadata";
    private static final String TRIAL = "trial";
    private static final String REHEARSAL = "rehearsal";
    /** A file in the directory of the state that is there once this process has rehearsed. */
    public static final String REHEARSED = "rehearsed";
    /** containerd asks for the layers of an image one after the other, from the lowest up; the next one comes within this time. */
    private static final long PULL_MILLIS = 100;
    /** A cluster's masters may start after this process. */
    private static final long AGAIN_SECONDS = 5;

    private final RootsOpener opener;
    private final Path directory;
    /** The names of this machine's containers begin so. */
    private final String prefix;

    private final ImageMounts images;
    private final Path state;
    /** The chain that was pulled last. */
    private volatile Optional<Digest> newest = Optional.empty();

    private final ScheduledExecutorService behind = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "chains");
        thread.setDaemon(true);
        return thread;
    });
    /** The names that were there when this process asked last. */
    private final Set<String> known = new HashSet<>();

    private Optional<OpenedRoots> opened = Optional.empty();
    /** The answer to the question if the kernel can mount metadata images, once that was tried. */
    private Optional<Boolean> mountsImages = Optional.empty();

    /** A way to the registry. */
    public interface RootsOpener {
        /**
         * Opens the registry.
         *
         * @throws IOException when the masters do not answer
         */
        OpenedRoots open() throws IOException;
    }

    private MountedRoots(RootsOpener opener, Path state, Path directory, String prefix) {
        this.opener = opener;
        this.directory = directory;
        this.prefix = prefix;
        this.images = new ImageMounts(state.resolve(METADATA).resolve(MetadataImages.FORM));
        this.state = state;
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
        Files.deleteIfExists(state.resolve(REHEARSED));
        return new MountedRoots(opener, state, directory, BEGINNING + machine + ".");
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
    public void ahead(Digest chain, boolean isLast) {
        newest = Optional.of(chain);
        try {
            Object unused = behind.schedule(() -> bring(chain), isLast ? 0 : PULL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("{} is not brought ahead: this process ends", chain);
        }
    }

    private void bring(Digest chain) {
        if (!newest.equals(Optional.of(chain))) {
            // It was asked for as a part of the chain above it.
            return;
        }
        try {
            if (open().registry()
                    .chains()
                    .find(chain)
                    .filter(ChainedImage::isWhole)
                    .isPresent()) {
                ChainRoot unused = root(chain);
                LOG.info("the tree of {} is ready", chain);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("the first container of {} waits for its tree: {}", chain, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized ChainRoot root(Digest chain) throws IOException, InterruptedException {
        String name = name(chain);
        if (!known.contains(name)) {
            create(name, chain);
            known.add(name);
        }
        mount();
        Path tree = directory.resolve(name).resolve(Layout.ROOT);
        // A lookup of the tree has the mount bring the reads of the image's start, while the metadata image comes here.
        if (!Files.isDirectory(tree)) {
            LOG.warn("the mount does not show the tree of {}", chain);
        }
        return new ChainRoot(tree, metadata(chain));
    }

    /** Mounts the metadata image of a chain. Without one, containers read the tree by FUSE, which is slower. */
    private Optional<Path> metadata(Digest chain) throws InterruptedException {
        try {
            return mountsImages() ? images.mount(chain, new StoredImage(chain)) : Optional.empty();
        } catch (IOException e) {
            LOG.warn("the containers of {} read their image by FUSE alone: {}", chain, e.toString());
            return Optional.empty();
        }
    }

    private boolean mountsImages() throws IOException, InterruptedException {
        if (mountsImages.isEmpty()) {
            Optional<String> whyNot = KernelRoots.whyNot(state.resolve(TRIAL));
            whyNot.ifPresent(why -> LOG.warn(
                    "metadata images are not mounted, and all containers read their images by FUSE alone, which is slower: {}",
                    why));
            mountsImages = Optional.of(whyNot.isEmpty());
        }
        return mountsImages.get();
    }

    /** The metadata image of a chain in the registry. */
    private final class StoredImage implements ImageMounts.Source {
        private final Digest chain;
        private Optional<ChainedImage> image = Optional.empty();
        private Optional<MetadataImages.Stored> stored = Optional.empty();

        StoredImage(Digest chain) {
            this.chain = chain;
        }

        private MetadataImages metadata() throws IOException {
            return new MetadataImages(open().registry());
        }

        @Override
        public Optional<String> sha256() throws IOException {
            // The lowest layers of an image alone have no merged tree beside a manifest.
            image = open().registry().chains().find(chain).filter(ChainedImage::isWhole);
            if (image.isPresent()) {
                stored = metadata().find(image.get().repository(), image.get().manifest());
                if (stored.isEmpty()) {
                    make();
                }
            }
            return stored.map(MetadataImages.Stored::sha256);
        }

        @Override
        public void copy(OutputStream to) throws IOException {
            if (stored.isPresent()) {
                metadata().copy(stored.get(), to);
            }
        }

        @Override
        public void isDamaged() throws IOException {
            LOG.warn("the metadata image of {} in the registry is damaged: another one is made", chain);
            if (stored.isPresent()) {
                metadata().drop(stored.get());
                make();
            }
        }

        /** Makes the image for the next container; this one does not wait. */
        private void make() {
            image.ifPresent(of -> behind.execute(() -> {
                try {
                    metadata().make(of.repository(), of.manifest());
                } catch (IOException | RuntimeException e) {
                    LOG.warn("the metadata image of {} is not made: {}", chain, e.toString());
                }
            }));
        }
    }

    /**
     * Begins to mount the roots and to try the kernel, and goes on until both is done: a first container does not wait for the server's start
     * then. Returns at once.
     */
    public void mountAhead() {
        behind.execute(() -> tryAhead(false));
    }

    private void tryAhead(boolean isAgain) {
        try {
            ready();
            rehearse();
            if (isAgain) {
                LOG.info("the roots of images are mounted by now");
            }
        } catch (IOException | RuntimeException e) {
            if (!isAgain) {
                LOG.warn("the roots of images cannot be mounted yet, and that is tried again: {}", e.toString());
            }
            try {
                Object unused = behind.schedule(() -> tryAhead(true), AGAIN_SECONDS, TimeUnit.SECONDS);
            } catch (RejectedExecutionException ended) {
                LOG.debug("the roots of images are not mounted: this process ends");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void ready() throws IOException, InterruptedException {
        mount();
        boolean unused = mountsImages();
    }

    /** Rehearses the calls of a first container. Pulls and starts go on meanwhile. */
    private void rehearse() {
        try {
            OpenedRoots open = open();
            if (ChainRehearsal.run(open.registry(), open.containers(), prefix + REHEARSAL)) {
                Files.writeString(state.resolve(REHEARSED), "");
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("nothing is rehearsed, so that the first container starts slowly: {}", e.toString());
        }
    }

    private void mount() throws IOException, InterruptedException {
        if (!KernelMounts.isAnswered(directory)) {
            KernelMountTable.unmount(directory);
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
    public synchronized void keepOnly(Supplier<Set<Digest>> chains) throws IOException, InterruptedException {
        Containers containers = open().containers();
        Set<Digest> wanted = chains.get();
        images.keepOnly(wanted);
        Set<String> kept = wanted.stream().map(this::name).collect(Collectors.toSet());
        for (String name : containers.names(prefix)) {
            if (!kept.contains(name)) {
                known.remove(name);
                boolean unused = containers.remove(name);
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        behind.shutdownNow();
        if (opened.isPresent()) {
            opened.get().registry().close();
            opened.get().closing().close();
            opened = Optional.empty();
        }
    }
}
