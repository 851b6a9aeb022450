// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.master.table.read.RecentLookups;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobKey;
import io.packing.blob.BlobName;
import io.packing.blob.BlobReader;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.CompactedBlob;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileRangeSource;
import io.packing.blob.FileVersion;
import io.packing.blob.LiveExtent;
import io.packing.blob.LiveFile;
import io.packing.blob.PackedFile;
import io.packing.encryption.Keystore;
import io.packing.store.InMemoryObjectStore;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import io.packing.worker.read.BlobPages;
import io.packing.worker.read.PageListener;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * A benchmark of the order of files in compacted blobs. Files of 8 KB in directories lie in blobs in a random order, and three of four are
 * dead. The code of compactions makes a blob of the live ones for each policy: by arrival, by directory, and with the files first that were
 * read together. Two further ones are those of a master that saw the look-ups of one client, and of eight side by side. Then a client's page cache, cold and of 16 MB, reads all files by directory and name, whole directories, the sets of files that
 * were read together, and single files. The figures are the requests to a
 * store in memory, and the bytes that these ask for. The seed fixes the files and their order, but not what the cache evicts. The first row has the blobs as they were.
 *
 * <p>Usage: {@code compaction-policies [files] [directories] [seed]}.
 */
public final class CompactionPolicies {
    private static final int BYTES = 8 << 10;
    private static final int FILES_OF_A_BLOB = 4_000;
    private static final int CACHE_BYTES = 16 << 20;
    private static final int WINDOW_BYTES = 8 << 20;
    private static final int SETS = 20;
    private static final int FILES_OF_A_SET = 50;
    private static final int RANDOM_READS = 500;
    private static final int DIRECTORIES_READ = 20;
    private static final Set<String> GETS = Set.of("get", "getTail", "getAgain", "open", "download");

    private final Random random;
    private final int directories;
    private final Path home;
    private final ObjectStore store = new InMemoryObjectStore();
    private final Map<FileVersion, FilePath> paths = new HashMap<>();
    private final Map<BlobName, Path> blobs = new LinkedHashMap<>();
    private final Map<BlobName, List<PackedFile>> packed = new LinkedHashMap<>();

    private CompactionPolicies(int directories, long seed, Path home) {
        this.random = new Random(seed);
        this.directories = directories;
        this.home = home;
    }

    /** Requests of a client, and the bytes that they ask for. */
    private static final class Counted {
        private final AtomicLong gets = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();

        ObjectStore over(ObjectStore store) {
            return (ObjectStore) Proxy.newProxyInstance(
                    ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (self, method, words) -> {
                        if (GETS.contains(method.getName())) {
                            count(words);
                        }
                        try {
                            return method.invoke(store, words);
                        } catch (InvocationTargetException e) {
                            throw e.getCause() == null ? e : e.getCause();
                        }
                    });
        }

        private void count(Object[] words) {
            long unused = gets.incrementAndGet();
            for (Object word : words) {
                if (word instanceof Integer length) {
                    unused = bytes.addAndGet(length);
                } else if (word instanceof List<?> buffers) {
                    for (Object each : buffers) {
                        unused = bytes.addAndGet(((ByteBuffer) each).remaining());
                    }
                }
            }
        }
    }

    /** The keys of a mount that is not encrypted. */
    private static final class Plain implements CompactedBlob.Keys {
        @Override
        public Keystore keystore() {
            return Keystore.NONE;
        }

        @Override
        public boolean encrypts() {
            return false;
        }

        @Override
        public Optional<BlobKey> blob() {
            return Optional.empty();
        }
    }

    public static void main(String[] args) throws Exception {
        int files = args.length > 0 ? Integer.parseInt(args[0]) : 20_000;
        int directories = args.length > 1 ? Integer.parseInt(args[1]) : 200;
        long seed = args.length > 2 ? Long.parseLong(args[2]) : 1;
        Path home = Files.createTempDirectory("compaction-policies");
        try {
            new CompactionPolicies(directories, seed, home).run(files);
        } finally {
            IngestTurns.delete(home);
        }
    }

    private void run(int files) throws IOException {
        Map<FileVersion, BlobExtent> before = write(files);
        List<FileVersion> kept = new ArrayList<>(before.keySet());
        kept.sort(Comparator.comparingLong(FileVersion::id));
        Collections.shuffle(kept, random);
        kept = new ArrayList<>(kept.subList(0, files / 4));
        // What was read together before the compaction.
        List<List<FileVersion>> sets = new ArrayList<>();
        for (int i = 0; i < SETS; i++) {
            sets.add(List.copyOf(kept.subList(i * FILES_OF_A_SET, (i + 1) * FILES_OF_A_SET)));
        }
        Comparator<FileVersion> byDirectory = Comparator.comparing(this::path);
        Map<String, List<FileVersion>> reads = reads(kept, sets, byDirectory);

        Map<String, List<FileVersion>> orders = new LinkedHashMap<>();
        List<FileVersion> arrival = new ArrayList<>(kept);
        arrival.sort(Comparator.comparingLong(FileVersion::id));
        List<FileVersion> directory = new ArrayList<>(kept);
        directory.sort(byDirectory);
        List<FileVersion> affinity = new ArrayList<>();
        sets.forEach(affinity::addAll);
        Set<FileVersion> together = Set.copyOf(affinity);
        directory.stream().filter(each -> !together.contains(each)).forEach(affinity::add);
        orders.put("arrival", arrival);
        orders.put("directory", directory);
        orders.put("affinity", affinity);
        for (int clients : new int[] {1, 8}) {
            orders.put("lookups by " + clients, lookedUp(sets, clients, directory));
        }

        System.out.println("order        reads        files     gets   gets/file          bytes  bytes/byte");
        measure("sparse blobs", before, reads);
        for (Map.Entry<String, List<FileVersion>> order : orders.entrySet()) {
            measure(order.getKey(), compact(order.getKey(), order.getValue()), reads);
        }
    }

    /** Returns the order of a master that saw the look-ups of clients that read sets side by side, file by file. */
    private List<FileVersion> lookedUp(List<List<FileVersion>> sets, int clients, List<FileVersion> all) {
        RecentLookups lookups = new RecentLookups();
        lookups.keep();
        for (int from = 0; from < sets.size(); from += clients) {
            for (int i = 0; i < FILES_OF_A_SET; i++) {
                for (List<FileVersion> set : sets.subList(from, Math.min(sets.size(), from + clients))) {
                    Optional<LocatedFile> unused = lookups.located(Optional.of(located(set.get(i))));
                }
            }
        }
        Map<Long, Long> latest =
                lookups.latest(all.stream().map(FileVersion::id).collect(Collectors.toSet()));
        List<FileVersion> order = new ArrayList<>(all);
        order.sort(Comparator.comparingLong(each -> latest.getOrDefault(each.id(), Long.MAX_VALUE)));
        return order;
    }

    private LocatedFile located(FileVersion version) {
        FileAttributes attributes = new FileAttributes(BYTES, 0, "bench", "bench", 0644);
        return new LocatedFile(
                new FileStatus(path(version), version, attributes, FileStatus.State.PACKED),
                new Placement.Packed(List.of()));
    }

    private FilePath path(FileVersion version) {
        FilePath path = paths.get(version);
        if (path == null) {
            throw new IllegalArgumentException("no file is " + version);
        }
        return path;
    }

    private Map<String, List<FileVersion>> reads(
            List<FileVersion> kept, List<List<FileVersion>> sets, Comparator<FileVersion> byDirectory) {
        List<FileVersion> scan = new ArrayList<>(kept);
        scan.sort(byDirectory);
        List<FileVersion> some = new ArrayList<>();
        for (int i = 0; i < DIRECTORIES_READ; i++) {
            String in = "/d%03d/".formatted(random.nextInt(directories));
            scan.stream().filter(each -> path(each).value().startsWith(in)).forEach(some::add);
        }
        List<List<FileVersion>> mixed = new ArrayList<>(sets);
        Collections.shuffle(mixed, random);
        List<FileVersion> any = new ArrayList<>();
        for (int i = 0; i < RANDOM_READS; i++) {
            any.add(kept.get(random.nextInt(kept.size())));
        }
        Map<String, List<FileVersion>> reads = new LinkedHashMap<>();
        reads.put("scan", scan);
        reads.put("directories", some);
        reads.put("sets", mixed.stream().flatMap(List::stream).toList());
        reads.put("random", any);
        return reads;
    }

    /** Writes blobs of files in a random order; returns the place of each file. */
    private Map<FileVersion, BlobExtent> write(int files) throws IOException {
        List<FilePath> all = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            all.add(new FilePath("/d%03d/f%06d".formatted(i % directories, i)));
        }
        Collections.shuffle(all, random);
        Map<FileVersion, BlobExtent> places = new HashMap<>();
        byte[] bytes = new byte[BYTES];
        FileAttributes attributes = new FileAttributes(BYTES, 0, "bench", "bench", 0644);
        for (int from = 0; from < files; from += FILES_OF_A_BLOB) {
            Path file = home.resolve("blob-" + from);
            List<PackedFile> entries = new ArrayList<>();
            BlobName name;
            try (FileChannel channel = create(file)) {
                BlobWriter writer = new BlobWriter(channel, Codec.NONE);
                for (int i = from; i < Math.min(files, from + FILES_OF_A_BLOB); i++) {
                    FileVersion version = new FileVersion(i + 1, i + 1);
                    paths.put(version, all.get(i));
                    random.nextBytes(bytes);
                    Extent extent = writer.append(0, ByteBuffer.wrap(bytes));
                    entries.add(new PackedFile(version, all.get(i), attributes, List.of(extent)));
                }
                name = new BlobName("bench", writer.finish(entries).footerOffset(), from + 1);
            }
            store.put(BlobName.FOLDER + name.key(), file, PutCondition.NONE);
            entries.forEach(each -> places.put(
                    each.version(), new BlobExtent(name, each.extents().get(0))));
            blobs.put(name, file);
            packed.put(name, entries);
        }
        return places;
    }

    /** Makes a blob of files in an order, as a compaction does; returns their places. */
    private Map<FileVersion, BlobExtent> compact(String policy, List<FileVersion> order) throws IOException {
        Map<FileVersion, Integer> ranks = new HashMap<>();
        order.forEach(each -> ranks.put(each, ranks.size()));
        Path file = home.resolve(policy);
        CompactedBlob.Verified verified;
        try (FileChannel channel = create(file);
                FileChannel waiting = create(home.resolve(policy + "-waiting"))) {
            CompactedBlob blob = new CompactedBlob(channel, waiting, 16 << 20, new Plain(), (path, why, damage) -> {
                throw new IllegalStateException("%s stays: %s".formatted(path, why));
            });
            for (Map.Entry<BlobName, Path> each : blobs.entrySet()) {
                try (FileChannel old = FileChannel.open(each.getValue(), StandardOpenOption.READ)) {
                    FileRangeSource source = new FileRangeSource(each.getValue().toString(), old);
                    List<LiveFile> live = packed.getOrDefault(each.getKey(), List.of()).stream()
                            .filter(entry -> ranks.containsKey(entry.version()))
                            .map(entry -> new LiveFile(
                                    entry,
                                    List.of(new LiveExtent(entry.extents().get(0)))))
                            .toList();
                    boolean unused = blob.add(each.getKey(), source, BlobReader.open(source), live);
                }
            }
            verified = blob.finish(policy, version -> ranks.getOrDefault(version, 0));
        }
        BlobName name = new BlobName("compacted", verified.blob().footerOffset(), blobs.size() + ranks.size());
        String key = BlobName.FOLDER + name.key();
        store.delete(List.of(key));
        store.put(key, file, PutCondition.NONE);
        Map<FileVersion, BlobExtent> places = new HashMap<>();
        for (CompactedBlob.Moved each : verified.moved()) {
            places.put(each.version(), new BlobExtent(name, each.copies().get(0)));
        }
        return places;
    }

    private static FileChannel create(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private void measure(String order, Map<FileVersion, BlobExtent> places, Map<String, List<FileVersion>> reads)
            throws IOException {
        for (Map.Entry<String, List<FileVersion>> each : reads.entrySet()) {
            Counted counted = new Counted();
            try (BlobPages pages = new BlobPages(
                    counted.over(store), BlobName.FOLDER, CACHE_BYTES, WINDOW_BYTES, new PageListener() {})) {
                for (FileVersion version : each.getValue()) {
                    BlobExtent at = places.get(version);
                    if (at == null || pages.extents().read(version.id(), at).remaining() != BYTES) {
                        throw new IOException("%s does not read as it was".formatted(path(version)));
                    }
                }
            }
            int files = each.getValue().size();
            System.out.printf(
                    Locale.ROOT,
                    "%-12s %-12s %5d %8d %11.3f %14d %11.2f%n",
                    order,
                    each.getKey(),
                    files,
                    counted.gets.get(),
                    (double) counted.gets.get() / files,
                    counted.bytes.get(),
                    (double) counted.bytes.get() / ((double) files * BYTES));
        }
    }
}
