// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dedup;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import io.packing.blob.FileVersion;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the bytes of contents that files have, each once, however many files have it. What does not fit in a bounded memory goes to
 * temporary files of 32 bytes for each file or range, by contents; they are counted one after the other. Confined to one thread.
 */
final class PhysicalBytes implements AutoCloseable {
    /** Contents and ranges in memory, some 100 bytes each. */
    private static final int MOST_IN_MEMORY = 200_000;
    /** A tree of 10^9 files has some millions in each of them. */
    private static final int BUCKETS = 256;

    private static final int BUFFER_BYTES = 8 << 10;
    /** In the place of where a range begins: it is the whole content. */
    private static final long WHOLE = -1;

    private final int mostInMemory;
    private final Path parent;
    private Counted memory = new Counted();
    private final List<Path> files = new ArrayList<>();
    private final List<DataOutputStream> buckets = new ArrayList<>();

    PhysicalBytes() {
        this(MOST_IN_MEMORY, Path.of(System.getProperty("java.io.tmpdir")));
    }

    /** @param parent where temporary files go, if there are any */
    PhysicalBytes(int mostInMemory, Path parent) {
        this.mostInMemory = mostInMemory;
        this.parent = parent;
    }

    /** Contents of which all or some bytes are there. */
    private static final class Counted {
        private final Map<FileVersion, Long> whole = new HashMap<>();
        private final Map<FileVersion, RangeSet<Long>> parts = new HashMap<>();
        private int added;

        void add(FileVersion version, long from, long to) {
            added++;
            if (from == WHOLE) {
                whole.put(version, to);
                parts.remove(version);
            } else if (!whole.containsKey(version)) {
                parts.computeIfAbsent(version, content -> TreeRangeSet.create()).add(Range.closedOpen(from, to));
            }
        }

        long total() {
            return whole.values().stream().mapToLong(length -> length).sum()
                    + parts.values().stream()
                            .flatMap(ranges -> ranges.asRanges().stream())
                            .mapToLong(range -> range.upperEndpoint() - range.lowerEndpoint())
                            .sum();
        }
    }

    /** Counts a file that has no map. It may be there by several paths: a clone of a directory shows the files of its origin. */
    void add(FileVersion version, long length) throws IOException {
        add(version, WHOLE, length);
    }

    void add(ByteMap map) throws IOException {
        for (ByteMap.Reference reference : map.references()) {
            if (reference.isWhole()) {
                add(reference.content(), reference.length());
            } else {
                add(reference.content(), reference.contentOffset(), reference.contentOffset() + reference.length());
            }
        }
    }

    private void add(FileVersion version, long from, long to) throws IOException {
        memory.add(version, from, to);
        if (memory.added >= mostInMemory) {
            spill();
        }
    }

    private void spill() throws IOException {
        if (buckets.isEmpty()) {
            open();
        }
        for (Map.Entry<FileVersion, Long> each : memory.whole.entrySet()) {
            write(each.getKey(), WHOLE, each.getValue());
        }
        for (Map.Entry<FileVersion, RangeSet<Long>> each : memory.parts.entrySet()) {
            for (Range<Long> range : each.getValue().asRanges()) {
                write(each.getKey(), range.lowerEndpoint(), range.upperEndpoint());
            }
        }
        memory = new Counted();
    }

    private void open() throws IOException {
        for (int i = 0; i < BUCKETS; i++) {
            Path file = Files.createTempFile(parent, "packing-contents-", "");
            files.add(file);
            buckets.add(new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES)));
        }
    }

    private void write(FileVersion version, long from, long to) throws IOException {
        DataOutputStream bucket = buckets.get(Math.floorMod(version.hashCode(), BUCKETS));
        bucket.writeLong(version.id());
        bucket.writeLong(version.generation());
        bucket.writeLong(from);
        bucket.writeLong(to);
    }

    /** The sum; nothing may be added afterwards. */
    long total() throws IOException {
        if (buckets.isEmpty()) {
            return memory.total();
        }
        spill();
        long total = 0;
        for (int i = 0; i < BUCKETS; i++) {
            buckets.get(i).close();
            total += count(files.get(i));
        }
        return total;
    }

    private static long count(Path file) throws IOException {
        Counted counted = new Counted();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            while (true) {
                long id;
                try {
                    id = in.readLong();
                } catch (EOFException e) {
                    return counted.total();
                }
                counted.add(new FileVersion(id, in.readLong()), in.readLong(), in.readLong());
            }
        }
    }

    /** Deletes the temporary files. */
    @Override
    public void close() throws IOException {
        for (DataOutputStream bucket : buckets) {
            bucket.close();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
