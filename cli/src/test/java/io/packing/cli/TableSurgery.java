// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import io.packing.sorted.WriteBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Damages the rows of a table of a master that is stopped, byte by byte as Keys, Inode and BlobRow document them. */
final class TableSurgery implements AutoCloseable {
    private static final long ROOT = 1;

    private final SortedStore rows;

    private TableSurgery(SortedStore rows) {
        this.rows = rows;
    }

    /** Opens the only mount of a master's data directory. */
    static TableSurgery open(Path dataDirectory) throws IOException {
        Path mount;
        try (Stream<Path> all = Files.list(dataDirectory)) {
            mount = all.filter(each -> Files.exists(each.resolve("ready")))
                    .findFirst()
                    .orElseThrow();
        }
        // The log would write the rows again.
        try (Stream<Path> log = Files.list(mount.resolve("log"))) {
            for (Path segment : log.toList()) {
                Files.delete(segment);
            }
        }
        return new TableSurgery(SortedStores.open(
                mount.resolve("table"),
                new SortedStoreOptions(SortedStoreOptions.Engine.LEVELDB, 1 << 20, 1 << 20, 0)));
    }

    private static byte[] key(char kind, long number, String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + Long.BYTES + utf8.length)
                .put((byte) kind)
                .putLong(number)
                .put(utf8)
                .array();
    }

    /** The key of the entry at a path. */
    private byte[] entry(String path) throws IOException {
        long parent = ROOT;
        String[] names = path.substring(1).split("/", -1);
        for (int i = 0; i < names.length - 1; i++) {
            parent = id(key('e', parent, names[i]));
        }
        return key('e', parent, names[names.length - 1]);
    }

    private long id(byte[] entry) throws IOException {
        return Fields.parse(rows.get(entry).orElseThrow()).numbers.get(0);
    }

    void deleteLinkOf(String directory) throws IOException {
        delete(key('i', id(entry(directory)), ""));
    }

    void deleteContent(long id) throws IOException {
        delete(key('c', id, ""));
    }

    /** Makes a row of a file no row. */
    void scramble(String path) throws IOException {
        byte[] key = entry(path);
        byte[] row = rows.get(key).orElseThrow();
        row[0] = (byte) 0xff;
        put(key, row);
    }

    void changeFile(String path, Consumer<Fields> change) throws IOException {
        byte[] key = entry(path);
        Fields fields = Fields.parse(rows.get(key).orElseThrow());
        change.accept(fields);
        put(key, fields.toBytes());
    }

    /** Finds the row of a blob. */
    private byte[] blob(String name) throws IOException {
        try (Cursor cursor = rows.scan(new byte[] {'b', 0}, new byte[] {'c'})) {
            while (cursor.next()) {
                if (new String(cursor.value(), StandardCharsets.ISO_8859_1).contains(name)) {
                    return cursor.key();
                }
            }
        }
        throw new IOException("no row of " + name);
    }

    void deleteBlob(String name) throws IOException {
        delete(blob(name));
    }

    void deleteBlobNumber(String name) throws IOException {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        delete(ByteBuffer.allocate(1 + utf8.length).put((byte) 'n').put(utf8).array());
    }

    /** Changes the length and the live bytes of a blob. */
    void changeBlob(String name, long lengthBy, long liveBy) throws IOException {
        byte[] key = blob(name);
        ByteBuffer in = ByteBuffer.wrap(rows.get(key).orElseThrow());
        int size = (int) Fields.number(in);
        byte[] text = new byte[size];
        in.get(text);
        long length = Fields.number(in);
        long live = Fields.number(in);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Fields.write(out, size);
        out.writeBytes(text);
        Fields.write(out, length + lengthBy);
        Fields.write(out, live + liveBy);
        out.write(in.get());
        put(key, out.toByteArray());
    }

    /** Changes what the quota of a directory counts. */
    void changeQuota(String directory, long namesBy, long bytesBy) throws IOException {
        byte[] key = key('o', directory.equals("/") ? ROOT : id(entry(directory)), "");
        ByteBuffer in = ByteBuffer.wrap(rows.get(key).orElseThrow());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(in.get());
        // Both limits, and then both counts: zigzag.
        for (long by : new long[] {0, 0, namesBy, bytesBy}) {
            long zigzag = Fields.number(in);
            long value = ((zigzag >>> 1) ^ -(zigzag & 1)) + by;
            Fields.write(out, (value << 1) ^ (value >> 63));
        }
        put(key, out.toByteArray());
    }

    private void put(byte[] key, byte[] value) throws IOException {
        WriteBatch batch = new WriteBatch();
        batch.put(key, value);
        rows.write(batch, SortedStore.Sync.FSYNC);
    }

    private void delete(byte[] key) throws IOException {
        Optional<byte[]> there = rows.get(key);
        if (there.isEmpty()) {
            throw new IOException("no such row");
        }
        WriteBatch batch = new WriteBatch();
        batch.delete(key);
        rows.write(batch, SortedStore.Sync.FSYNC);
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }

    /** The row of a file of one extent: id, generation, length; behind the names and the mode, the extent. */
    static final class Fields {
        private final int head;
        final List<Long> numbers = new ArrayList<>();
        private final byte[] middle;
        final List<Long> extent = new ArrayList<>();
        int crc;

        private Fields(int head, byte[] middle) {
            this.head = head;
            this.middle = middle;
        }

        static Fields parse(byte[] row) {
            ByteBuffer in = ByteBuffer.wrap(row);
            int head = in.get();
            List<Long> numbers = new ArrayList<>(List.of(number(in), number(in), number(in)));
            int from = in.position();
            long unused = number(in);
            for (int i = 0; i < 2; i++) {
                in.position((int) number(in) + in.position());
            }
            long mode = number(in);
            byte[] middle = new byte[in.position() - from];
            in.get(from, middle);
            Fields fields = new Fields(head, middle);
            fields.numbers.addAll(numbers);
            if (in.hasRemaining() && mode >= 0 && unused >= 0) {
                // How many extents, the blob, and the offset in the file, the length and the offset in the blob.
                for (int i = 0; i < 5; i++) {
                    fields.extent.add(number(in));
                }
                fields.crc = in.getInt();
            }
            return fields;
        }

        byte[] toBytes() {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(head);
            numbers.forEach(each -> write(out, each));
            out.writeBytes(middle);
            extent.forEach(each -> write(out, each));
            out.writeBytes(ByteBuffer.allocate(4).putInt(crc).array());
            return out.toByteArray();
        }

        static long number(ByteBuffer in) {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = in.get();
                value |= (long) (next & 0x7f) << shift;
                if (next >= 0) {
                    return value;
                }
            }
        }

        static void write(ByteArrayOutputStream out, long value) {
            long left = value;
            while (left > 0x7f) {
                out.write((int) ((left & 0x7f) | 0x80));
                left >>>= 7;
            }
            out.write((int) left);
        }
    }
}
