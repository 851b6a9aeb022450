// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.totalcow;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.Median;
import io.packing.lab.images.HostPrograms;
import io.packing.lab.images.OverlayMount;
import io.packing.rig.EngineRig;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * The page cache after overwrites of the first bytes of a file that shares its bytes with a template (TotalCOW, Figures 7 and 8). The file is
 * a clone on a mount for the kernel, a file of overlayfs on the local disk, or a copy on the mount. The template's pages are evicted
 * before an overwrite, as far as the kernel gives them up, and {@code fdatasync} ends it. Caches are read while the files are open.
 *
 * @param sizes in bytes, ascending, whole MiB
 * @param rounds turns of each way; bytes are the most of all turns, milliseconds medians
 */
public record PageCacheOverwrites(List<Long> sizes, int rounds, Narrator narrator) {
    private static final int PIECE = 1 << 20;
    private static final String MOUNT = "kernel";
    /** The directory of the mount's server. */
    private static final String STATE = MOUNT + ".state";

    private static final int MOST_LOOKS = 100;
    private static final int LOOK_MILLIS = 100;
    private static final String SHARED = "original-";

    public PageCacheOverwrites {
        sizes = List.copyOf(sizes);
        if (sizes.isEmpty() || rounds < 1 || sizes.stream().anyMatch(size -> size < PIECE || size % PIECE != 0)) {
            throw new IllegalArgumentException("--page-cache wants --sizes of whole MiB");
        }
    }

    /**
     * The page cache after an overwrite.
     *
     * @param template bytes of the template that the overwrite brought into the cache
     * @param target cached bytes of the overwritten file
     * @param local cached bytes of the local files that the mount's server made for the overwrite
     */
    public record Cached(
            @JsonProperty("template_bytes") long template,
            @JsonProperty("target_bytes") long target,
            @JsonProperty("local_bytes") long local,
            @JsonProperty("ms") double millis) {
        static Cached most(List<Cached> all) {
            return new Cached(
                    all.stream().mapToLong(Cached::template).max().orElseThrow(),
                    all.stream().mapToLong(Cached::target).max().orElseThrow(),
                    all.stream().mapToLong(Cached::local).max().orElseThrow(),
                    Median.of(all.stream().map(Cached::millis).toList()));
        }
    }

    /** One size of file and of overwrite, all ways. */
    public record Row(
            long file,
            long overwritten,
            @JsonProperty("clone") Cached shared,
            Cached overlay,
            Cached copy) {}

    /** Prints rows for people. */
    static void print(List<Row> rows, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%14s %14s %-8s %16s %16s %16s %10s%n",
                "file, bytes",
                "overwritten",
                "way",
                "template cached",
                "target cached",
                "server's cached",
                "ms");
        rows.forEach(row -> {
            line(out, row, "clone", row.shared());
            line(out, row, "overlay", row.overlay());
            line(out, row, "copy", row.copy());
        });
    }

    private static void line(PrintWriter out, Row row, String way, Cached cached) {
        out.printf(
                Locale.ROOT,
                "%,14d %,14d %-8s %,16d %,16d %,16d %,10.1f%n",
                row.file(),
                row.overwritten(),
                way,
                cached.template(),
                cached.target(),
                cached.local(),
                cached.millis());
    }

    /** Says what is missing on this machine, if anything is. */
    public static void check() {
        HostPrograms.check("dd", "apt-get install coreutils");
        HostPrograms.check("cmp", "apt-get install diffutils");
        HostPrograms.check("mount", "apt-get install mount");
        if (!Files.isWritable(Path.of("/dev/fuse"))) {
            throw new IllegalArgumentException(
                    "--page-cache mounts for the kernel: it needs root and /dev/fuse (modprobe fuse)");
        }
    }

    /** Runs it in a workspace, on a mount for the kernel that it makes. */
    public List<Row> run(Workspace workspace, EngineRig rig) throws IOException, InterruptedException {
        Path home = workspace.directory();
        Path mounted = Files.createDirectories(home.resolve("mounted"));
        Object unused = rig.mount(workspace, MOUNT, mounted, List.of());
        long largest = sizes.get(sizes.size() - 1);
        try (EngineRig.Client client = rig.client()) {
            Run run = new Run(client, home, mounted);
            run.begin(largest);
            List<Row> rows = new ArrayList<>();
            for (long size : sizes) {
                rows.add(run.row(size, Math.min(size, OverwriteExperiment.SMALL_WRITE)));
            }
            for (long overwritten : sizes) {
                if (overwritten > OverwriteExperiment.SMALL_WRITE) {
                    rows.add(run.row(largest, overwritten));
                }
            }
            return rows;
        }
    }

    /** Overwrites the first bytes of a file, and returns what is cached then. */
    private interface Way {
        Cached overwrite(long size, long overwritten) throws IOException, InterruptedException;
    }

    private final class Run {
        private final EngineRig.Client client;
        private final Path home;
        private final Path mounted;
        private final Path lower;
        private final Path bytes;
        private final Path fresh;
        private int turns;

        Run(EngineRig.Client client, Path home, Path mounted) throws IOException {
            this.client = client;
            this.home = home;
            this.mounted = mounted;
            this.lower = Files.createDirectories(home.resolve("lower"));
            this.bytes = home.resolve("bytes");
            this.fresh = home.resolve("fresh");
        }

        /** Makes all templates. */
        void begin(long largest) throws IOException, InterruptedException {
            narrator.accept("templates on the mount and on the local disk");
            fill(bytes, largest, 1);
            fill(fresh, largest, 2);
            for (long size : sizes) {
                fill(mounted.resolve(SHARED + size), size, 1);
                fill(lower.resolve(SHARED + size), size, 1);
            }
            client.mount().flush();
        }

        /** Writes bytes, the same for each seed. */
        private void fill(Path file, long length, long seed) throws IOException {
            Random random = new Random(seed);
            byte[] piece = new byte[PIECE];
            try (OutputStream out = Files.newOutputStream(file)) {
                for (long left = length; left > 0; left -= PIECE) {
                    random.nextBytes(piece);
                    out.write(piece);
                }
            }
        }

        Row row(long size, long overwritten) throws IOException, InterruptedException {
            narrator.accept(
                    String.format(Locale.ROOT, "page cache after %,d of %,d bytes are overwritten", overwritten, size));
            return new Row(
                    size,
                    overwritten,
                    most(this::shared, size, overwritten),
                    most(this::overlay, size, overwritten),
                    most(this::copy, size, overwritten));
        }

        private Cached most(Way way, long size, long overwritten) throws IOException, InterruptedException {
            List<Cached> all = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                turns++;
                all.add(way.overwrite(size, overwritten));
            }
            return Cached.most(all);
        }

        private Cached shared(long size, long overwritten) throws IOException, InterruptedException {
            String name = "clone-" + turns;
            VectorResult cloned = client.mount()
                    .bdt()
                    .apply(OperationVector.of(new Operation.CloneFile(
                            new FilePath("/" + SHARED + size), new FilePath("/" + name), false, AttributeChange.NONE)));
            if (cloned instanceof VectorResult.Refused refused) {
                throw new IOException("a clone was refused: " + refused.reason());
            }
            Path target = mounted.resolve(name);
            awaitShown(target);
            return overwrite(mounted.resolve(SHARED + size), target, true, false, size, overwritten);
        }

        /** Waits until the mount shows a file that it did not make itself, which may take its second. */
        private void awaitShown(Path target) throws IOException, InterruptedException {
            for (int i = 0; Files.notExists(target); i++) {
                if (i > MOST_LOOKS) {
                    throw new IOException("%s is not shown".formatted(target));
                }
                Thread.sleep(LOOK_MILLIS);
            }
        }

        private Cached copy(long size, long overwritten) throws IOException, InterruptedException {
            return overwrite(
                    mounted.resolve(SHARED + size), mounted.resolve("copy-" + turns), true, true, size, overwritten);
        }

        private Cached overlay(long size, long overwritten) throws IOException, InterruptedException {
            Path directory = Files.createDirectories(home.resolve("overlay-" + turns));
            OverlayMount overlay = OverlayMount.of(directory, List.of(lower));
            try {
                return overwrite(
                        lower.resolve(SHARED + size),
                        overlay.root().resolve(SHARED + size),
                        false,
                        false,
                        size,
                        overwritten);
            } finally {
                overlay.discard();
            }
        }

        /** Overwrites a file, or makes a copy with other first bytes, and looks at the caches; then checks the bytes, and removes the file. */
        private Cached overwrite(Path template, Path target, boolean ours, boolean copies, long size, long overwritten)
                throws IOException, InterruptedException {
            KernelPages.evict(template);
            Set<Path> before = KernelPages.filesBelow(home.resolve(STATE));
            Cached cached;
            try (FileChannel original = FileChannel.open(template, READ);
                    FileChannel source = FileChannel.open(fresh, READ)) {
                MappedByteBuffer ofTemplate = KernelPages.map(original);
                long kept = KernelPages.bytes(ofTemplate);
                long start = System.nanoTime();
                try (FileChannel out = FileChannel.open(target, READ, WRITE, CREATE)) {
                    Optional<MappedByteBuffer> ofTarget = copies ? Optional.empty() : Optional.of(KernelPages.map(out));
                    transfer(source, out, 0, overwritten);
                    if (copies) {
                        transfer(original, out, overwritten, size);
                    }
                    out.force(false);
                    double millis = (System.nanoTime() - start) / 1e6;
                    cached = new Cached(
                            KernelPages.bytes(ofTemplate) - kept,
                            KernelPages.bytes(ofTarget.isPresent() ? ofTarget.get() : KernelPages.map(out)),
                            ours ? local(before) : 0,
                            millis);
                }
            }
            if (Files.size(target) != size) {
                throw new IOException("%s has %d bytes".formatted(target, Files.size(target)));
            }
            compare(fresh, target, 0, overwritten);
            compare(bytes, target, overwritten, size);
            Files.delete(target);
            return cached;
        }

        /** Returns the cached bytes of the local files that the mount's server has made since. */
        private long local(Set<Path> before) throws IOException {
            Set<Path> made = KernelPages.filesBelow(home.resolve(STATE));
            made.removeAll(before);
            return KernelPages.bytes(made);
        }

        /** Copies by reads and writes: {@code copy_file_range} would share the bytes. */
        private void transfer(FileChannel from, FileChannel to, long at, long end) throws IOException {
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            for (long position = at; position < end; position += PIECE) {
                piece.clear();
                while (piece.hasRemaining() && from.read(piece, position + piece.position()) > 0) {
                    // Reads on.
                }
                piece.flip();
                while (piece.hasRemaining()) {
                    int unused = to.write(piece, position + piece.position());
                }
            }
        }

        private void compare(Path expected, Path target, long from, long to) throws IOException, InterruptedException {
            if (from < to) {
                KernelPages.run(List.of(
                        "cmp",
                        "--ignore-initial=" + from,
                        "--bytes=" + (to - from),
                        expected.toString(),
                        target.toString()));
            }
        }
    }
}
