// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import io.packing.buffers.Slices;
import io.packing.encryption.Keystore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * A new blob of the live bytes of old ones, in a local file. Whole extents are taken over as they are stored, each checked against its
 * checksum. The new blob has the dictionary of the first old blob that has one; extents of another dictionary, and ranges of compressed
 * extents, are compressed anew. A footer entry keeps version, path and attributes of the one it is made of. The bytes of all old
 * blobs wait in a file beside the new one until {@link #finish}, which writes them in the order of their files' ranks. Confined to one thread.
 */
public final class CompactedBlob {
    /** The keys of a mount. */
    public interface Keys {
        /** Returns the keystore that decrypts blobs. */
        Keystore keystore();

        /** Returns true if nothing of the mount may be written in plain. */
        boolean encrypts();

        /** Returns a key for a new blob; empty: it is not encrypted. */
        Optional<BlobKey> blob() throws IOException;
    }

    /** Learns of bytes that stay in their old blob. */
    public interface Listener {
        /** A file keeps an extent in the old blob, since the extent is damaged or cannot be copied. */
        void stays(FilePath file, String why, Optional<CorruptBlobException> damage);
    }

    /**
     * An extent and its copies.
     *
     * @param to one for each live range; one, if all bytes of the extent are live
     */
    public record Move(BlobName blob, LiveExtent from, List<Extent> to) {
        public Move {
            to = List.copyOf(to);
        }
    }

    /** The copied extents of a file version. */
    public record Moved(FileVersion version, List<Move> moves) {
        public Moved {
            moves = List.copyOf(moves);
        }

        /** Returns the copies by ascending file offset. */
        public List<Extent> copies() {
            return moves.stream()
                    .flatMap(move -> move.to().stream())
                    .sorted(Comparator.comparingLong(Extent::fileOffset))
                    .toList();
        }
    }

    /**
     * The new blob, every byte of it verified.
     *
     * @param crc32c of all bytes
     */
    public record Verified(FinishedBlob blob, int crc32c, List<Moved> moved) {}

    /** An extent to be copied. */
    private record Live(LiveFile file, LiveExtent live) {
        Extent extent() {
            return live.extent();
        }
    }

    /**
     * Bytes that wait for their place.
     *
     * @param as the extent that they are as they are; empty: they are encoded at their place
     * @param crc32c of the waiting bytes
     */
    private record Waiting(
            Live of, BlobName blob, int range, Optional<Extent> as, long fileOffset, long at, int length, int crc32c) {}

    private final FileChannel channel;
    private final FileChannel waitingBytes;
    private final int windowBytes;
    private final Keys keys;
    private final Listener listener;
    private final List<Waiting> waiting = new ArrayList<>();
    private final Map<FileVersion, PackedFile> files = new LinkedHashMap<>();
    private Optional<Dictionary> dictionary = Optional.empty();
    private boolean begun;
    private long bytes;

    /**
     * Begins a blob.
     *
     * @param channel of an empty file
     * @param waitingBytes of another one
     * @param windowBytes read with one request, dead bytes between live ones included; at least an extent
     * @param keys by which blobs are decrypted, and the new one is encrypted
     */
    public CompactedBlob(FileChannel channel, FileChannel waitingBytes, int windowBytes, Keys keys, Listener listener) {
        this.channel = channel;
        this.waitingBytes = waitingBytes;
        this.windowBytes = Math.max(windowBytes, Extent.MAX_STORED);
        this.keys = keys;
        this.listener = listener;
    }

    /**
     * Takes live bytes of an old blob.
     *
     * @param reader of the blob
     * @return false if some of them stay where they are
     */
    public boolean add(BlobName blob, RangeSource source, BlobReader reader, List<LiveFile> live) throws IOException {
        if (reader.key().isPresent() && !keys.encrypts()) {
            throw new IllegalStateException(
                    "%s is encrypted, and its mount has no key: nothing of it is written in plain".formatted(blob));
        }
        boolean sound = true;
        Optional<Dictionary> its = Optional.empty();
        try {
            its = reader.dictionary();
        } catch (CorruptBlobException e) {
            listener.stays(FilePath.ROOT, "the dictionary is damaged", Optional.of(e));
            sound = false;
        }
        if (!begun) {
            dictionary = its;
            begun = true;
        }
        List<Live> extents = new ArrayList<>();
        for (LiveFile each : live) {
            if (each.extents().isEmpty()) {
                // Nothing to copy; but a recovery from footers must still find it.
                files.putIfAbsent(each.version(), each.file());
            }
            each.extents().forEach(extent -> extents.add(new Live(each, extent)));
        }
        extents.sort(Comparator.comparingLong(each -> each.extent().blobOffset()));
        Decoding with = new Decoding(0, reader.key(), its);
        for (int from = 0; from < extents.size(); ) {
            long start = extents.get(from).extent().blobOffset();
            int to = from;
            while (to < extents.size() && extents.get(to).extent().blobEnd() - start <= windowBytes) {
                to++;
            }
            int length = (int) (extents.get(to - 1).extent().blobEnd() - start);
            BlobWindow window = BlobWindow.read(source, with, start, length);
            for (Live each : extents.subList(from, to)) {
                sound &= take(blob, each, window);
            }
            from = to;
        }
        return sound;
    }

    private boolean take(BlobName blob, Live live, BlobWindow window) throws IOException {
        Extent extent = live.extent();
        if (extent.codec() == Codec.ADOPTED && keys.encrypts()) {
            listener.stays(
                    live.file.file().path(), "it has adopted bytes, which no encrypted blob takes", Optional.empty());
            return false;
        }
        boolean asStored = !live.live.isCut()
                && (extent.codec().plain() != Codec.ZSTD_DICTIONARY
                        || window.decoding().dictionary().equals(dictionary));
        ByteBuffer taken;
        try {
            // Damaged bytes must not count as sound only because they have been moved.
            taken = checked(live, window, asStored);
        } catch (CorruptBlobException e) {
            listener.stays(live.file.file().path(), "it is damaged", Optional.of(e));
            return false;
        }
        files.putIfAbsent(live.file.version(), live.file.file());
        if (!live.live.isCut()) {
            Optional<Extent> as = asStored ? Optional.of(extent.decrypted(taken)) : Optional.empty();
            keep(live, blob, 0, as, extent.fileOffset(), taken);
            return true;
        }
        boolean plain = extent.codec().plain() == Codec.NONE;
        for (int range = 0; range < live.live.ranges().size(); range++) {
            LiveExtent.Range each = live.live.ranges().get(range);
            ByteBuffer part = Slices.of(taken.slice(), (int) (each.start() - extent.fileOffset()), each.length());
            // Bytes that were not compressed stay so.
            Optional<Extent> as = plain
                    ? Optional.of(ExtentCodec.encode(Codec.NONE, part).at(each.start(), each.length(), 0))
                    : Optional.empty();
            keep(live, blob, range, as, each.start(), part);
        }
        return true;
    }

    private static ByteBuffer checked(Live live, BlobWindow window, boolean asStored) throws IOException {
        Extent extent = live.extent();
        Decoding with = window.decoding().of(live.file.version().id());
        return SoundRead.of(window, extent.blobOffset(), extent.storedLength(), bytes -> {
            if (extent.codec() == Codec.ADOPTED) {
                // The object is not read: the new blob names it as the old one did.
                AdoptedObject unused = ExtentCodec.adopted(window.name(), extent, bytes);
                return bytes;
            }
            ByteBuffer decoded = ExtentCodec.decode(window.name(), extent, bytes.duplicate(), with);
            if (decoded.remaining() != extent.length()) {
                throw new CorruptBlobException("%s: extent at %d decodes to %d bytes, want %d"
                        .formatted(window.name(), extent.blobOffset(), decoded.remaining(), extent.length()));
            }
            if (!asStored) {
                return decoded;
            }
            return extent.codec().isEncrypted() ? ExtentCodec.decrypt(window.name(), extent, bytes, with) : bytes;
        });
    }

    private void keep(Live live, BlobName blob, int range, Optional<Extent> as, long fileOffset, ByteBuffer part)
            throws IOException {
        ByteBuffer each = part.slice();
        waiting.add(new Waiting(live, blob, range, as, fileOffset, bytes, each.remaining(), ExtentCodec.crc32c(each)));
        while (each.hasRemaining()) {
            bytes += waitingBytes.write(each, bytes);
        }
    }

    /** Returns the number of files so far. */
    public int files() {
        return files.size();
    }

    /**
     * Completes and verifies the blob.
     *
     * @param name for messages
     * @param ranks of files: they lie in the blob by ascending rank
     */
    public Verified finish(String name, ToIntFunction<FileVersion> ranks) throws IOException {
        waiting.sort(Comparator.comparingInt(each -> ranks.applyAsInt(each.of.file.version())));
        Map<FileVersion, List<Move>> moves = new LinkedHashMap<>();
        files.keySet().forEach(version -> moves.put(version, new ArrayList<>()));
        FinishedBlob finished;
        List<Moved> moved = new ArrayList<>();
        try (ZstdEncoder encoder = new ZstdEncoder(dictionary)) {
            BlobWriter writer = new BlobWriter(channel, encoder, keys.blob());
            List<Extent> copies = new ArrayList<>();
            for (Waiting each : waiting) {
                FileVersion version = each.of.file.version();
                ByteBuffer part = waited(each);
                copies.add(
                        each.as.isPresent()
                                ? writer.copy(version.id(), each.as.get(), part)
                                : writer.append(version.id(), each.fileOffset, part));
                if (each.range + 1 == Math.max(1, each.of.live.ranges().size())) {
                    moves.getOrDefault(version, new ArrayList<>()).add(new Move(each.blob, each.of.live, copies));
                    copies.clear();
                }
            }
            List<PackedFile> packed = new ArrayList<>();
            files.forEach((version, file) -> {
                Moved all = new Moved(version, moves.getOrDefault(version, List.of()));
                moved.add(all);
                packed.add(new PackedFile(version, file.path(), file.attributes(), all.copies()));
            });
            finished = writer.finish(packed);
        }
        ChecksummedSource source = new ChecksummedSource(new FileRangeSource(name, channel));
        long verified = BlobVerifier.verify(source, keys.keystore()).files();
        if (verified != files.size()) {
            throw new IOException("%s: %d files, want %d".formatted(name, verified, files.size()));
        }
        return new Verified(finished, source.crc32c(), moved);
    }

    private ByteBuffer waited(Waiting part) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(part.length);
        while (read.hasRemaining()) {
            if (waitingBytes.read(read, part.at + read.position()) < 0) {
                throw new EOFException("the bytes that wait end at %d".formatted(part.at + read.position()));
            }
        }
        if (ExtentCodec.crc32c(read.flip()) != part.crc32c) {
            throw new IOException("the bytes at %d changed on this disk while they waited".formatted(part.at));
        }
        return read;
    }
}
