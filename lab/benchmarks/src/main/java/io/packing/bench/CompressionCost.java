// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import com.sun.management.ThreadMXBean;
import io.packing.blob.BlobReader;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.Dictionary;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileRangeSource;
import io.packing.blob.FileVersion;
import io.packing.blob.PackedFile;
import io.packing.blob.ZstdEncoder;
import io.packing.worker.pack.Training;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A benchmark of compression. It makes blobs of files of 8 KB in each way, and reads all their files, in turn and on
 * one thread. It prints the stored bytes, and MB (10^6 bytes of files) a second of processor time. The files are pieces
 * of this project's sources, lines of JSON, pieces of the Java runtime's classes, and random bytes.
 *
 * <p>Usage: {@code compression [files] [rounds]}, in the project's directory.
 */
public final class CompressionCost {
    private static final int FILE_BYTES = 8 << 10;

    private static final ThreadMXBean THREADS =
            (ThreadMXBean) ManagementFactory.getPlatformMXBean(java.lang.management.ThreadMXBean.class);

    private CompressionCost() {}

    private enum Way {
        NONE,
        DEFLATE,
        ZSTD,
        ZSTD_DICTIONARY
    }

    private static final class Sample implements Training.Sample {
        private final byte[] bytes;

        Sample(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public Optional<ByteBuffer> read() {
            return Optional.of(ByteBuffer.wrap(bytes));
        }
    }

    /** The figures of one round. */
    private record Round(long blobBytes, int dictionaryBytes, double packMegabytes, double readMegabytes) {}

    public static void main(String[] args) throws IOException {
        int files = args.length > 0 ? Integer.parseInt(args[0]) : 4_096;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        Map<String, List<Sample>> kinds = new LinkedHashMap<>();
        kinds.put("text", text(files));
        kinds.put("json", json(files));
        kinds.put("binaries", binaries(files));
        kinds.put("random", random(files));
        System.out.println("files,content,way,round,blob_bytes,stored_percent,dictionary_bytes,pack_mb_s,read_mb_s");
        for (Map.Entry<String, List<Sample>> kind : kinds.entrySet()) {
            // The first round warms up, and is not counted.
            for (int round = 0; round <= rounds; round++) {
                for (Way way : Way.values()) {
                    Round measured = round(kind.getValue(), way);
                    if (round > 0) {
                        print(kind, way, round, measured);
                    }
                }
            }
        }
    }

    private static void print(Map.Entry<String, List<Sample>> kind, Way way, int round, Round measured) {
        long bytes = bytes(kind.getValue());
        System.out.printf(
                Locale.ROOT,
                "%d,%s,%s,%d,%d,%.1f,%d,%.0f,%.0f%n",
                kind.getValue().size(),
                kind.getKey(),
                way.name().toLowerCase(Locale.ROOT),
                round,
                measured.blobBytes,
                100.0 * measured.blobBytes / bytes,
                measured.dictionaryBytes,
                measured.packMegabytes,
                measured.readMegabytes);
    }

    private static long bytes(List<Sample> files) {
        return files.stream().mapToLong(Sample::length).sum();
    }

    private static Round round(List<Sample> files, Way way) throws IOException {
        Path path = Files.createTempFile("compression", ".blob");
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long before = THREADS.getCurrentThreadCpuTime();
            Optional<Dictionary> dictionary = pack(files, way, channel);
            long packed = THREADS.getCurrentThreadCpuTime();
            BlobReader reader = BlobReader.open(new FileRangeSource(path.toString(), channel));
            long read = 0;
            for (PackedFile file : reader.footer()) {
                for (Extent extent : file.extents()) {
                    read += reader.readExtent(extent).remaining();
                }
            }
            long done = THREADS.getCurrentThreadCpuTime();
            if (read != bytes(files)) {
                throw new IOException("%d bytes came back of %d".formatted(read, bytes(files)));
            }
            return new Round(
                    channel.size(),
                    dictionary.map(Dictionary::sectionBytes).orElse(0),
                    1e3 * read / (packed - before),
                    1e3 * read / (done - packed));
        } finally {
            Files.delete(path);
        }
    }

    private static Optional<Dictionary> pack(List<Sample> files, Way way, FileChannel channel) throws IOException {
        if (way == Way.NONE || way == Way.DEFLATE) {
            write(files, new BlobWriter(channel, way == Way.NONE ? Codec.NONE : Codec.DEFLATE));
            return Optional.empty();
        }
        Optional<Dictionary> dictionary = way == Way.ZSTD ? Optional.empty() : Training.dictionary(files);
        try (ZstdEncoder encoder = new ZstdEncoder(dictionary)) {
            write(files, new BlobWriter(channel, encoder));
        }
        return dictionary;
    }

    private static void write(List<Sample> files, BlobWriter writer) throws IOException {
        List<PackedFile> packed = new ArrayList<>(files.size());
        for (int i = 0; i < files.size(); i++) {
            byte[] bytes = files.get(i).bytes;
            Extent extent = writer.append(0, ByteBuffer.wrap(bytes));
            packed.add(new PackedFile(
                    new FileVersion(i + 1L, i),
                    new FilePath("/directory/file-%06d".formatted(i)),
                    new FileAttributes(bytes.length, 0, "user", "group", 0644),
                    List.of(extent)));
        }
        long unused = writer.finish(packed).length();
    }

    private static List<Sample> text(int files) throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> walk = Files.walk(Path.of(""))) {
            walk.filter(path ->
                            path.toString().endsWith(".java") || path.toString().endsWith(".md"))
                    .filter(path -> !path.toString().contains("target/"))
                    .sorted()
                    .forEach(sources::add);
        }
        return pieces(sources, files);
    }

    private static List<Sample> binaries(int files) throws IOException {
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
        List<Path> classes = new ArrayList<>();
        try (Stream<Path> walk = Files.walk(base)) {
            walk.filter(path -> path.toString().endsWith(".class")).sorted().forEach(classes::add);
        }
        return pieces(classes, files);
    }

    /** Cuts the concatenated files into pieces. */
    private static List<Sample> pieces(List<Path> paths, int files) throws IOException {
        List<Sample> pieces = new ArrayList<>();
        ByteBuffer piece = ByteBuffer.allocate(FILE_BYTES);
        for (Path path : paths) {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
            while (bytes.hasRemaining() && pieces.size() < files) {
                int count = Math.min(bytes.remaining(), piece.remaining());
                piece.put(bytes.slice(bytes.position(), count));
                bytes.position(bytes.position() + count);
                if (!piece.hasRemaining()) {
                    pieces.add(new Sample(piece.array().clone()));
                    piece.clear();
                }
            }
        }
        return pieces;
    }

    private static List<Sample> json(int files) {
        Random random = new Random(42);
        List<Sample> made = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            StringBuilder lines = new StringBuilder();
            while (lines.length() < FILE_BYTES) {
                lines.append(String.format(
                        Locale.ROOT,
                        "{\"time\":%d,\"user\":\"%08x\",\"event\":\"%s\",\"path\":\"/data/%d/part-%05d\",\"bytes\":%d}%n",
                        1_700_000_000_000L + random.nextInt(1 << 30),
                        random.nextInt(),
                        random.nextBoolean() ? "create" : "open",
                        random.nextInt(100),
                        random.nextInt(100_000),
                        random.nextInt(1 << 20)));
            }
            made.add(new Sample(Arrays.copyOf(lines.toString().getBytes(StandardCharsets.US_ASCII), FILE_BYTES)));
        }
        return made;
    }

    private static List<Sample> random(int files) {
        Random random = new Random(43);
        List<Sample> made = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            byte[] bytes = new byte[FILE_BYTES];
            random.nextBytes(bytes);
            made.add(new Sample(bytes));
        }
        return made;
    }
}
