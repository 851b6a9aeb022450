// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.Uploader;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.operation.FileRepack;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapRows;
import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import io.packing.blob.BlobVerifier;
import io.packing.blob.BlobWriter;
import io.packing.blob.ChecksummedSource;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.ExtentEncoder;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileRangeSource;
import io.packing.blob.FileVersion;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import io.packing.blob.ZstdEncoder;
import io.packing.durable.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of upkeep that joins the fragments of files at rest. Their bytes become one content in a new blob. A scan then asks the store
 * once for a window of the blob, in place of once for each fragment (RFC 0020). Confined to the upkeep thread, but for the counts.
 */
public final class Repacker {
    private static final Logger LOG = LoggerFactory.getLogger(Repacker.class);
    /** Disk to leave free: the table's engine must not meet a full one. */
    private static final long SPARE_DISK_BYTES = 1L << 30;
    /** Files that one step passes which need nothing. */
    private static final int MOST_PASSED = 1_000;

    /** A new blob for fewer would cost more than it saves. */
    private static final int LEAST_IN_WINDOW = 64;

    private static final int READ_BYTES = 16 << 20;

    /**
     * The schedule and bounds of the work.
     *
     * @param interval time between two passes over all files
     * @param quiet time since the last change of a file
     * @param leastFragments of a file that is worth it
     * @param smallBytes length of a fragment below which it is joined with its neighbours
     * @param windowBytes of one new content
     * @param windowFragments of one new content, which one mutation replaces
     * @param bytesPerHour that are written at most
     */
    public record RepackOptions(
            Duration interval,
            Duration quiet,
            long leastFragments,
            long smallBytes,
            long windowBytes,
            int windowFragments,
            long bytesPerHour) {
        public static final RepackOptions USUAL = new RepackOptions(
                Duration.ofMinutes(10), Duration.ofMinutes(10), 1_024, 64 << 10, 64 << 20, 16_384, 20L << 30);
    }

    private final MountStorage storage;
    private final Table table;
    private final Uploader uploader;
    private final RepackOptions options;
    private final Clocks clocks;
    private final OwnBlobs blobs;
    private final AtomicLong fragments = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private long nextStep;
    private long inode;
    /** The end of the last window of the file; 0: the file is still to be looked at. */
    private long at;

    public Repacker(MountStorage storage, Uploader uploader, RepackOptions options, Clocks clocks) {
        this.storage = storage;
        this.table = storage.table();
        this.uploader = uploader;
        this.options = options;
        this.clocks = clocks;
        this.blobs = new OwnBlobs(storage, clocks);
        this.nextStep = clocks.nanoTime() + options.interval().toNanos();
    }

    /** Returns the number of fragments that were joined since the start. Any thread may ask. */
    public long fragments() {
        return fragments.get();
    }

    /** Returns the bytes that were written to new blobs since the start. Any thread may ask. */
    public long bytes() {
        return bytes.get();
    }

    /** Small fragments of a file that follow each other. */
    private record Window(Inode file, List<Reference> from) {
        long bytes() {
            return from.stream().mapToLong(Reference::length).sum();
        }
    }

    /** Makes at most one new blob; returns whether it did. */
    public boolean step() throws IOException {
        if (clocks.nanoTime() - nextStep < 0) {
            return false;
        }
        Optional<Window> window = next();
        if (window.isEmpty()) {
            return false;
        }
        long written = join(window.get());
        Duration pause = Duration.ofMillis(written * Duration.ofHours(1).toMillis() / options.bytesPerHour());
        nextStep = clocks.nanoTime() + pause.toNanos();
        return written > 0;
    }

    private Optional<Window> next() throws IOException {
        for (int passed = 0; passed < MOST_PASSED; passed++) {
            if (at == 0) {
                Optional<byte[]> first =
                        table.rows().firstKey(Keys.pair(Keys.MAP, inode + 1, 0), Keys.kindEnd(Keys.MAP));
                if (first.isEmpty()) {
                    inode = 0;
                    nextStep = clocks.nanoTime() + options.interval().toNanos();
                    return Optional.empty();
                }
                inode = Keys.number(first.get());
            }
            Optional<Inode> file = file(inode);
            List<Reference> from = file.isEmpty() ? List.of() : small();
            if (from.size() >= Math.min(LEAST_IN_WINDOW, options.leastFragments())) {
                return Optional.of(new Window(file.orElseThrow(), from));
            }
        }
        return Optional.empty();
    }

    /** Finds a file that is worth it. */
    private Optional<Inode> file(long id) throws IOException {
        Optional<EntryLink> link =
                table.rows().get(Keys.numbered(Keys.INODE, id)).map(EntryLink::decode);
        Optional<byte[]> row = link.isEmpty()
                ? Optional.empty()
                : table.rows().get(Keys.entry(link.get().parent(), link.get().name()));
        long youngest = clocks.wall().instant().minus(options.quiet()).toEpochMilli();
        Optional<Inode> file = row.map(Inode::decode)
                .filter(each -> each.id() == id && each.attributes().mtimeMillis() <= youngest)
                .filter(each -> each.place() instanceof Inode.Fragmented fragmented
                        && fragmented.layer() == 0
                        && (at > 0 || fragmented.references() >= options.leastFragments()));
        if (file.isEmpty()) {
            at = 0;
        }
        return file;
    }

    /** Returns the next small fragments that follow each other; none: that was all of the file. */
    private List<Reference> small() throws IOException {
        List<Reference> found = new ArrayList<>();
        long[] length = new long[1];
        long[] end = new long[] {0};
        table.rows().scan(Keys.pair(Keys.MAP, inode, at + 1), Keys.numbered(Keys.MAP, inode + 1), (key, value) -> {
            Reference each = MapRows.decode(key, value);
            if (each.length() >= options.smallBytes() && found.size() < 2) {
                found.clear();
                length[0] = 0;
            } else if (each.length() >= options.smallBytes()) {
                return false;
            } else {
                found.add(each);
                length[0] += each.length();
            }
            end[0] = each.end();
            return length[0] < options.windowBytes() && found.size() < options.windowFragments();
        });
        at = end[0];
        return found;
    }

    private long join(Window window) throws IOException {
        Path folder = storage.scratch();
        if (Files.getFileStore(folder).getUsableSpace() - 2 * window.bytes() < SPARE_DISK_BYTES) {
            LOG.warn("mount {}: a fragmented file stays: too little room in {}", storage.mount(), folder);
            return 0;
        }
        uploader.checkOwner();
        Path plain = folder.resolve("joined");
        Path blob = folder.resolve("repacked");
        try (FileChannel joined = create(plain);
                FileChannel channel = create(blob)) {
            JoinedBytes read = new JoinedBytes(table.rows(), storage.objects(), storage.keys(), READ_BYTES, joined);
            return read.read(window.from()) ? write(window, read.areCompressed(), joined, channel, blob) : 0;
        } finally {
            Files.deleteIfExists(plain);
            Files.deleteIfExists(blob);
        }
    }

    private static FileChannel create(Path file) throws IOException {
        return OwnerOnly.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    private long write(Window window, boolean compress, FileChannel joined, FileChannel channel, Path file)
            throws IOException {
        FileVersion version = Waiting.on(table.writer()
                .submit(t -> new FileVersion(t.change().nextId(), t.change().nextPosition())));
        List<Extent> extents = new ArrayList<>();
        FinishedBlob finished;
        try (ZstdEncoder zstd = new ZstdEncoder(Optional.empty())) {
            ExtentEncoder encoder = compress ? zstd : bytes -> ExtentCodec.encode(Codec.NONE, bytes);
            BlobWriter writer = new BlobWriter(channel, encoder, storage.keys().blob());
            for (long from = 0; from < window.bytes(); from += Extent.MAX_LENGTH) {
                extents.add(writer.append(version.id(), from, piece(joined, from, window.bytes())));
            }
            FileAttributes of = window.file().attributes();
            FileAttributes attributes =
                    new FileAttributes(window.bytes(), of.mtimeMillis(), of.owner(), of.group(), of.mode());
            FilePath path = FilePath.SCRATCH.child("repacked-" + version.id());
            finished = writer.finish(List.of(new PackedFile(version, path, attributes, extents)));
        }
        ChecksummedSource source = new ChecksummedSource(new FileRangeSource(file.toString(), channel));
        if (BlobVerifier.verify(source, storage.keys().keystore()).files() != 1) {
            throw new IOException(file + ": not one file");
        }
        OwnBlobs.Pushed pushed = blobs.push(finished, source.crc32c(), file);
        FileRepack.Joined all = new FileRepack.Joined(
                window.file().id(), version, window.bytes(), pushed.name(), extents, window.from());
        int replaced = Waiting.on(table.writer().submit(t -> FileRepack.apply(t, all)));
        fragments.addAndGet(replaced);
        bytes.addAndGet(finished.length());
        LOG.info(
                "mount {}: {} has {} of {} fragments of file {}",
                storage.mount(),
                pushed.name(),
                replaced,
                window.from().size(),
                window.file().id());
        return finished.length();
    }

    private static ByteBuffer piece(FileChannel joined, long from, long end) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(Extent.MAX_LENGTH, end - from));
        while (piece.hasRemaining()) {
            if (joined.read(piece, from + piece.position()) < 0) {
                throw new IOException("the joined bytes end at %d".formatted(from + piece.position()));
            }
        }
        return piece.flip();
    }
}
