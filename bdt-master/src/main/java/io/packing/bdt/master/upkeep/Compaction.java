// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.master.cloud.MountKeys;
import io.packing.bdt.master.cloud.ObjectSource;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.blob.AdoptedObject;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobKey;
import io.packing.blob.BlobName;
import io.packing.blob.BlobReader;
import io.packing.blob.BlobVerifier;
import io.packing.blob.BlobWriter;
import io.packing.blob.ChecksummedSource;
import io.packing.blob.Codec;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Decoding;
import io.packing.blob.Dictionary;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileRangeSource;
import io.packing.blob.FileVersion;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import io.packing.blob.SoundRead;
import io.packing.blob.ZstdEncoder;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A new blob of the live extents of sparse ones, in a local file. Extents are taken over as they are stored, each checked
 * against its checksum. The new blob has the dictionary of the first blob; what was compressed with another one is compressed
 * anew; a footer entry keeps version, path and attributes of the one it is made of. Confined to one thread.
 */
final class Compaction implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Compaction.class);

    /** An extent and its copy. */
    record Move(long fromBlob, Extent from, Extent to) {}

    /** The copied extents of a file version. */
    record Moved(PackedFile file, List<Move> moves) {
        FileVersion version() {
            return file.version();
        }

        private PackedFile packed() {
            List<Extent> extents = moves.stream()
                    .map(Move::to)
                    .sorted(Comparator.comparingLong(Extent::fileOffset))
                    .toList();
            return new PackedFile(file.version(), file.path(), file.attributes(), extents);
        }
    }

    /** The new blob; the first old blob decides its compression. */
    private record NewBlob(ZstdEncoder encoder, BlobWriter writer) {
        static NewBlob begin(FileChannel channel, Optional<Dictionary> dictionary, Optional<BlobKey> key)
                throws IOException {
            ZstdEncoder encoder = new ZstdEncoder(dictionary);
            return new NewBlob(encoder, new BlobWriter(channel, encoder, key));
        }

        /** Returns whether the new blob can take another blob's stored bytes as they are. */
        boolean takes(Extent extent, Optional<Dictionary> its) {
            return extent.codec().plain() != Codec.ZSTD_DICTIONARY || its.equals(encoder.dictionary());
        }
    }

    /** An extent to be copied. */
    private record Live(PackedFile file, Extent extent) {}

    private final Table table;
    private final ObjectStore objects;
    private final int windowBytes;
    private final FileChannel channel;
    private final MountKeys keys;
    private Optional<NewBlob> target = Optional.empty();
    private final Map<FileVersion, Moved> moved = new LinkedHashMap<>();

    /**
     * @param windowBytes read with one request, dead bytes between live ones included; at least an extent
     * @param channel of an empty file
     * @param keys by which blobs are decrypted, and the new one is encrypted
     */
    Compaction(Table table, ObjectStore objects, int windowBytes, FileChannel channel, MountKeys keys) {
        this.keys = keys;
        this.table = table;
        this.objects = objects;
        this.windowBytes = Math.max(windowBytes, Extent.MAX_STORED);
        this.channel = channel;
    }

    /** Copies what is live in a blob; false when some of it is damaged and stays where it is. */
    boolean add(SparseBlobs.Sparse sparse) throws IOException {
        BlobRow blob = sparse.blob();
        ObjectSource source =
                new ObjectSource(objects, BlobName.FOLDER + blob.name().key(), blob.total());
        List<Live> live = new ArrayList<>();
        BlobReader reader;
        try {
            reader = BlobReader.open(source, blob.name().footerOffset(), keys.keystore());
            for (PackedFile file : reader.footer()) {
                live.addAll(live(file, blob));
            }
        } catch (CorruptBlobException e) {
            LOG.error("{} is sparse, but its footer is damaged: it stays as it is", blob.name(), e);
            return false;
        }
        live.sort(Comparator.comparingLong(each -> each.extent.blobOffset()));
        boolean sound = true;
        Optional<Dictionary> dictionary = Optional.empty();
        try {
            dictionary = reader.dictionary();
        } catch (CorruptBlobException e) {
            LOG.error("the dictionary of {} is damaged: what needs it stays there", blob.name(), e);
            sound = false;
        }
        if (reader.key().isPresent() && keys.name().isEmpty()) {
            throw new IllegalStateException(
                    "%s is encrypted, and its mount has no key: nothing of it is written in plain"
                            .formatted(blob.name()));
        }
        if (target.isEmpty()) {
            target = Optional.of(NewBlob.begin(channel, dictionary, keys.blob()));
        }
        Decoding with = new Decoding(0, reader.key(), dictionary);
        for (int from = 0; from < live.size(); ) {
            long start = live.get(from).extent.blobOffset();
            int to = from;
            while (to < live.size() && live.get(to).extent.blobEnd() - start <= windowBytes) {
                to++;
            }
            int length = (int) (live.get(to - 1).extent.blobEnd() - start);
            BlobWindow window = BlobWindow.read(source, with, start, length);
            for (Live each : live.subList(from, to)) {
                sound &= copy(sparse, each, window);
            }
            from = to;
        }
        return sound;
    }

    /** The extents that a file has in the blob, as the table says. */
    private List<Live> live(PackedFile file, BlobRow blob) throws IOException {
        Optional<LocatedFile> located = table.locate(file.version());
        if (located.isEmpty() || !(located.get().placement() instanceof Placement.Packed packed)) {
            return List.of();
        }
        if (packed.extents().isEmpty()) {
            // Nothing to copy; but a recovery from footers must still find it.
            moved.putIfAbsent(file.version(), new Moved(file, new ArrayList<>()));
        }
        return packed.extents().stream()
                .filter(extent -> extent.blob().equals(blob.name()))
                .map(BlobExtent::extent)
                .map(extent -> new Live(file, extent))
                .toList();
    }

    private boolean copy(SparseBlobs.Sparse from, Live live, BlobWindow window) throws IOException {
        NewBlob to = target.orElseThrow();
        if (live.extent.codec() == Codec.ADOPTED && !keys.name().isEmpty()) {
            LOG.warn(
                    "{} of {} has adopted bytes, which no encrypted blob takes: it stays there",
                    live.file.path(),
                    from.blob().name());
            return false;
        }
        Decoding with = window.decoding().of(live.file.version().id());
        boolean asStored = to.takes(live.extent, window.decoding().dictionary());
        ByteBuffer taken;
        try {
            // What is checked now is not taken for sound only because it has been moved.
            taken = SoundRead.of(window, live.extent.blobOffset(), live.extent.storedLength(), bytes -> {
                if (live.extent.codec() == Codec.ADOPTED) {
                    // The object is not read: the new blob names it as the old one did.
                    AdoptedObject unused =
                            ExtentCodec.adopted(from.blob().name().toString(), live.extent, bytes);
                    return bytes;
                }
                ByteBuffer decoded =
                        ExtentCodec.decode(from.blob().name().toString(), live.extent, bytes.duplicate(), with);
                if (decoded.remaining() != live.extent.length()) {
                    throw new CorruptBlobException("%s: extent at %d decodes to %d bytes, want %d"
                            .formatted(
                                    from.blob().name(),
                                    live.extent.blobOffset(),
                                    decoded.remaining(),
                                    live.extent.length()));
                }
                if (!asStored) {
                    return decoded;
                }
                return live.extent.codec().isEncrypted()
                        ? ExtentCodec.decrypt(from.blob().name().toString(), live.extent, bytes, with)
                        : bytes;
            });
        } catch (CorruptBlobException e) {
            LOG.error(
                    "{} of {} is damaged and stays there",
                    live.file.path(),
                    from.blob().name(),
                    e);
            return false;
        }
        long id = live.file.version().id();
        Extent copy = asStored
                ? to.writer.copy(id, live.extent.decrypted(taken), taken)
                : to.writer.append(id, live.extent.fileOffset(), taken);
        moved.computeIfAbsent(live.file.version(), version -> new Moved(live.file, new ArrayList<>()))
                .moves
                .add(new Move(from.number(), live.extent, copy));
        return true;
    }

    /** Bytes copied so far. */
    long bytes() {
        return target.map(to -> to.writer.position()).orElse(0L);
    }

    int files() {
        return moved.size();
    }

    /**
     * The new blob, every byte of it verified.
     *
     * @param crc32c of all bytes
     */
    record Verified(FinishedBlob blob, int crc32c) {}

    /** Completes and verifies the blob. */
    Verified finish(String name) throws IOException {
        FinishedBlob finished = target.orElseThrow()
                .writer
                .finish(moved.values().stream().map(Moved::packed).toList());
        ChecksummedSource source = new ChecksummedSource(new FileRangeSource(name, channel));
        long files = BlobVerifier.verify(source, keys.keystore()).files();
        if (files != moved.size()) {
            throw new IOException("%s: %d files, want %d".formatted(name, files, moved.size()));
        }
        return new Verified(finished, source.crc32c());
    }

    @Override
    public void close() {
        target.ifPresent(to -> to.encoder.close());
    }

    /** Returns the moves to commit. */
    List<Moved> moved() {
        return List.copyOf(moved.values());
    }
}
