// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.RehearsalCalls;
import io.packing.fuse.posix.server.RehearsedDirectory;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.disk.BlobPage;
import io.packing.worker.read.FilePages;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rehearsal of a server of roots before its first container. It starts containers by its own calls, again and
 * again, so that its code is loaded and compiled and its connections to master and store are there. The first start of
 * a process took five times as long as its fourth.
 *
 * <p>The containers are of an image of some small files and libraries, which the first server of a registry makes in a
 * directory that nothing else uses. Half of the starts have a start pack, half do not. Confined to one thread.
 */
public final class Rehearsal {
    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

    private static final String IMAGE = "image";
    private static final List<String> CONTAINERS = List.of("known", "unknown");
    private static final String KNOWN = CONTAINERS.get(0);
    private static final List<String> DIRECTORIES = List.of("bin", "etc", "lib");
    private static final int FILES = 24;
    private static final int FILE_BYTES = 6_000;
    private static final String LIBRARY = "library";
    private static final int LIBRARY_BYTES = 600_000;
    private static final int READ_BYTES = 128 << 10;
    private static final int MISSES = 12;
    private static final String ATTRIBUTE = "trusted.overlay.metacopy";

    private static final int MOST_ROUNDS = 40;
    private static final Duration LONGEST = Duration.ofSeconds(5);
    /** After this, nothing that was learnt counts. */
    private static final long LATER = Duration.ofHours(2).toNanos();

    private final RemotePackingFileSystem mount;
    private final RegistryFiles files;
    private final Layout layout;
    private final ContainerStarts.Threads threads;
    private final Path state;
    private final Supplier<String> ids;
    private final LongSupplier nanoTime;
    private final AtomicLong later = new AtomicLong();

    /**
     * Makes a rehearsal for a registry.
     *
     * @param mount whose code and connections are to be warm
     * @param registry the directory of the registry
     * @param state a local directory of its own
     * @param ids gives unique names
     * @param nanoTime the time of the process's clock
     */
    public Rehearsal(
            RemotePackingFileSystem mount,
            RegistryFiles files,
            FilePath registry,
            ContainerStarts.Threads threads,
            Path state,
            Supplier<String> ids,
            LongSupplier nanoTime) {
        this.state = state;
        this.mount = mount;
        this.files = files;
        this.layout = new Layout(new Layout(registry).rehearsal());
        this.threads = threads;
        this.ids = ids;
        this.nanoTime = nanoTime;
    }

    /**
     * Rehearses for some seconds.
     *
     * @param goesOn whether the processors are free for the rehearsal
     */
    public void run(BooleanSupplier goesOn) throws IOException {
        List<LocatedFile> all = prepared();
        StartsSource source = new StartsSource(
                layout.containers(),
                ahead -> new ContainerStarts(mount, files, layout, ahead, threads, ids, this::now),
                unused -> {});
        long begin = nanoTime.getAsLong();
        List<Long> took = new ArrayList<>();
        try (RehearsedDirectory directory =
                RehearsedDirectory.open(mount, layout.containers(), source, state, this::now)) {
            RehearsalCalls calls = new RehearsalCalls(directory.files(), READ_BYTES);
            while (took.size() < MOST_ROUNDS
                    && goesOn.getAsBoolean()
                    && nanoTime.getAsLong() - begin < LONGEST.toNanos()) {
                all.forEach(mount.cache()::forget);
                long started = nanoTime.getAsLong();
                start(calls, CONTAINERS.get(took.size() % CONTAINERS.size()));
                took.add((nanoTime.getAsLong() - started) / 1_000);
                later.addAndGet(LATER);
                source.beginAnew();
            }
        }
        all.forEach(mount.cache()::forget);
        if (!took.isEmpty()) {
            LOG.info(
                    "{} starts were rehearsed: the first took {} µs, the last {} µs",
                    took.size(),
                    took.get(0),
                    took.get(took.size() - 1));
        }
    }

    private long now() {
        return nanoTime.getAsLong() + later.get();
    }

    private static String name(int number) {
        return "file-%02d".formatted(number);
    }

    private static String missing(int number) {
        return "none-" + number;
    }

    /** Makes the files that are missing; returns those that a start reads. */
    private List<LocatedFile> prepared() throws IOException {
        FilePath image = layout.container(KNOWN).child(Layout.ROOT);
        if (files.stat(image).isEmpty()) {
            make();
        }
        FilePath kept = layout.container(KNOWN).child(Layout.START);
        StartPacks packs = new StartPacks(mount, files, layout, ids);
        if (packs.find(kept).isEmpty()) {
            // Bytes that are in no blob have no pages.
            mount.flush();
            Set<BlobPage> pages = new LinkedHashSet<>();
            for (LocatedFile each : located(image)) {
                pages.addAll(FilePages.of(
                        each.placement(), 0, each.status().attributes().length()));
            }
            packs.save(
                    new StartPlace(kept, image.child(LIBRARY), image),
                    StartPack.of(new StartPack.Asked(pages, names())));
            mount.flush();
        }
        List<LocatedFile> all = located(image);
        packs.find(kept).ifPresent(pack -> {
            all.add(pack.index());
            all.addAll(pack.pieces());
        });
        return all;
    }

    /** Returns the paths that a start looks up, in its order. */
    private static Set<String> names() {
        Set<String> names = new LinkedHashSet<>(List.of(FilePath.ROOT.value(), "/" + LIBRARY));
        for (String directory : DIRECTORIES) {
            names.add("/" + directory);
            for (int i = 0; i < MISSES; i++) {
                names.add("/" + directory + "/" + missing(i));
            }
            for (int i = 0; i < FILES; i++) {
                names.add("/" + directory + "/" + name(i));
            }
            names.add("/" + directory + "/" + LIBRARY);
        }
        return names;
    }

    private void make() throws IOException {
        FilePath scratch = layout.scratch(ids.get());
        for (String directory : DIRECTORIES) {
            for (int i = 0; i < FILES; i++) {
                write(scratch.child(directory).child(name(i)), FILE_BYTES, i);
            }
            write(scratch.child(directory).child(LIBRARY), LIBRARY_BYTES, FILES);
        }
        write(scratch.child(LIBRARY), LIBRARY_BYTES, 0);
        VectorBuilder vector = new VectorBuilder().absent(layout.containers()).directory(layout.containers());
        FilePath image = layout.container(IMAGE);
        vector.rename(scratch, image, false);
        for (String each : CONTAINERS) {
            vector.directory(layout.container(each))
                    .add(new Operation.CloneDirectory(
                            image, layout.container(each).child(Layout.ROOT)));
        }
        if (files.apply(vector.build()) instanceof VectorResult.Refused refused) {
            // Another server was faster, or the registry is none of this server's to change.
            VectorResult unused =
                    files.apply(new VectorBuilder().delete(scratch).build());
            if (files.stat(layout.containers()).isEmpty()) {
                throw new IOException("the files of a rehearsal cannot be made: " + refused.reason());
            }
        }
    }

    /** Writes a file of varied bytes, so that stores which keep equal bytes once have to read each. */
    private void write(FilePath path, int length, int seed) throws IOException {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * (seed + 7) + i / (seed + 3) + path.hashCode());
        }
        try (PackingOutput out = files.create(path)) {
            out.write(bytes);
        }
    }

    private List<LocatedFile> located(FilePath root) throws IOException {
        List<LocatedFile> all = new ArrayList<>();
        mount.bdt().locate(root.child(LIBRARY)).ifPresent(all::add);
        for (String directory : DIRECTORIES) {
            mount.bdt().locate(root.child(directory).child(LIBRARY)).ifPresent(all::add);
            for (int i = 0; i < FILES; i++) {
                mount.bdt().locate(root.child(directory).child(name(i))).ifPresent(all::add);
            }
        }
        return all;
    }

    /** Makes the calls that the kernel makes when a program starts. */
    private static void start(RehearsalCalls calls, String container) {
        Deque<Long> nodes = new ArrayDeque<>();
        long root = look(calls, look(calls, FuseFileSystem.ROOT, container, nodes), Layout.ROOT, nodes);
        read(calls, look(calls, root, LIBRARY, nodes), LIBRARY_BYTES);
        for (String each : DIRECTORIES) {
            long directory = look(calls, root, each, nodes);
            for (int i = 0; i < MISSES; i++) {
                OptionalLong unused = calls.lookup(directory, missing(i));
            }
            for (int i = 0; i < FILES; i++) {
                read(calls, look(calls, directory, name(i), nodes), FILE_BYTES);
            }
            read(calls, look(calls, directory, LIBRARY, nodes), LIBRARY_BYTES);
        }
        while (!nodes.isEmpty()) {
            calls.forget(nodes.pop(), 1);
        }
    }

    private static long look(RehearsalCalls calls, long parent, String name, Deque<Long> nodes) {
        long node =
                calls.lookup(parent, name).orElseThrow(() -> new IllegalStateException("a rehearsal lacks " + name));
        nodes.push(node);
        return node;
    }

    private static void read(RehearsalCalls calls, long node, int length) {
        boolean unused = calls.hasExtended(node, ATTRIBUTE);
        for (int offset = 0; offset < length; offset += READ_BYTES) {
            int unusedToo = calls.read(node, offset, READ_BYTES);
        }
    }
}
