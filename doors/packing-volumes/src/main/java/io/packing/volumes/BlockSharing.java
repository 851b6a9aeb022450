// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.LocatedFile;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.PackingInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * The look for blocks that a volume has already, while it is written (RFC 0033, ANViL §5.2). Written blocks whose hashes are known go into
 * groups of the log of their own. The thread that maps compares their bytes with those of the known block, and lets the map share these.
 * The groups are then files without a reference, which no blob gets. Blocks of zeros become holes.
 */
final class BlockSharing {
    /** Fewer candidates are not worth a group of their own, which costs two calls and two syncs. */
    private static final int LEAST_APART = 16 * BlockIndex.BLOCK;

    /** The most bytes that are read at once to be compared. */
    private static final int READ = 256 << 10;

    private static final ByteBuffer ZEROS = ByteBuffer.allocate(BlockIndex.BLOCK);

    private final BlockIndex index;
    private final FilePath volume;
    private final FileVersion version;
    private final List<Source> sources = new CopyOnWriteArrayList<>();
    private final LongAdder shared = new LongAdder();
    private final LongAdder zeros = new LongAdder();

    /** A file whose blocks the volume may share: a clone of the server's own, which no other client changes. */
    private record Source(LocatedFile file, PackingInput input) {}

    /** The present bytes of the volume's map. */
    interface MappedBytes {
        /** Fills a buffer with the bytes from an offset on. */
        void read(long offset, ByteBuffer into) throws IOException;
    }

    /** @param version of the volume when it was opened */
    BlockSharing(BlockIndex index, FilePath volume, FileVersion version) {
        this.index = index;
        this.volume = volume;
        this.version = version;
    }

    /** Returns the bytes that blocks of other places gave to the volume, and those that became holes because they were zeros. */
    long sharedBytes() {
        return shared.sum();
    }

    /** Returns the bytes of blocks that became holes because they were zeros. */
    long zeroBytes() {
        return zeros.sum();
    }

    /** Adds a file whose blocks may be shared from now on; returns its number for the index. */
    int add(LocatedFile file, PackingInput input) {
        sources.add(new Source(file, input));
        return sources.size();
    }

    /** Learns the bytes of a block of such a file. */
    void learn(int file, long offset, ByteBuffer block) {
        long hash = BlockIndex.hash(block);
        if (index.find(hash) < 0 && !isZero(block)) {
            index.put(hash, BlockIndex.place(file, offset));
        }
    }

    private static boolean isZero(ByteBuffer block) {
        return block.mismatch(ZEROS.duplicate()) < 0;
    }

    /** Makes groups of changes: those that are expected to be shared are apart. Blocks of zeros become holes. */
    List<WrittenRanges> split(WrittenRanges changes) {
        WrittenRanges fresh = new WrittenRanges();
        WrittenRanges known = new WrittenRanges();
        for (WrittenPiece piece : changes.all()) {
            long at = piece.offset();
            for (long block = firstBlock(piece); block + BlockIndex.BLOCK <= piece.end(); block += BlockIndex.BLOCK) {
                long end = block + BlockIndex.BLOCK;
                WrittenPiece part = piece.part(block, end);
                ByteBuffer bytes = part.bytes().duplicate().rewind();
                boolean isZero = isZero(bytes);
                if (!isZero && isNew(bytes)) {
                    continue;
                }
                if (at < block) {
                    fresh.put(piece.part(at, block));
                }
                if (isZero) {
                    zeros.add(BlockIndex.BLOCK);
                }
                (isZero ? fresh : known).put(isZero ? WrittenPiece.hole(block, BlockIndex.BLOCK) : part);
                at = end;
            }
            if (at < piece.end()) {
                fresh.put(piece.part(at, piece.end()));
            }
        }
        if (!known.isEmpty() && (known.dataBytes() < LEAST_APART || fresh.isEmpty())) {
            fresh.putAll(known);
            known = new WrittenRanges();
        }
        List<WrittenRanges> groups = new ArrayList<>();
        groups.add(fresh);
        if (!known.isEmpty()) {
            groups.add(known);
        }
        return groups;
    }

    private boolean isNew(ByteBuffer block) {
        long hash = BlockIndex.hash(block);
        boolean isNew = index.find(hash) < 0;
        if (isNew) {
            index.put(hash, BlockIndex.UNMAPPED);
        }
        return isNew;
    }

    /** Returns the first whole block of a piece; its end or later without one. */
    private static long firstBlock(WrittenPiece piece) {
        // Bytes that are in the log only would have to be read for their hash.
        return piece.bytes().limit() == 0
                ? piece.end()
                : (piece.offset() + BlockIndex.BLOCK - 1) / BlockIndex.BLOCK * BlockIndex.BLOCK;
    }

    /**
     * The changes of a batch, with the places that the map is to have.
     *
     * @param learned hashes of the blocks that have bytes of their own, with their offsets
     */
    record Batch(WrittenRanges changes, Map<Long, Long> learned) {}

    /** A block of the batch, and the place in the volume or in a file that may have its bytes. */
    private record Candidate(WrittenPiece block, int file, long from) {
        boolean isContinuedBy(Candidate next, long bytes) {
            return next.file == file
                    && next.from == from + bytes
                    && next.block.offset() == block.offset() + bytes
                    && bytes < READ;
        }
    }

    /**
     * Finds the blocks of a batch whose bytes the map can share. Their sources are outside of the batch, so that the order of its changes does
     * not matter. Only the thread that maps calls it.
     */
    Batch share(WrittenRanges batch, MappedBytes mapped) throws IOException {
        WrittenRanges result = new WrittenRanges();
        result.putAll(batch);
        Map<Long, Long> learned = new HashMap<>();
        Map<Long, WrittenPiece> own = new HashMap<>();
        List<Candidate> candidates = new ArrayList<>();
        for (WrittenPiece piece : batch.all()) {
            for (long at = firstBlock(piece); at + BlockIndex.BLOCK <= piece.end(); at += BlockIndex.BLOCK) {
                WrittenPiece block = piece.part(at, at + BlockIndex.BLOCK);
                long hash = BlockIndex.hash(block.bytes().duplicate().rewind());
                long place = index.find(hash);
                if (place > BlockIndex.UNMAPPED && isOutside(batch, place)) {
                    candidates.add(new Candidate(block, BlockIndex.file(place), BlockIndex.offset(place)));
                    continue;
                }
                WrittenPiece first = own.putIfAbsent(hash, block);
                if (first == null) {
                    learned.put(hash, at);
                } else if (isEqual(first, block)) {
                    result.put(WrittenPiece.logged(
                            at, BlockIndex.BLOCK, first.place().orElseThrow()));
                    shared.add(BlockIndex.BLOCK);
                }
            }
        }
        compare(candidates, mapped, result, learned);
        return new Batch(result, learned);
    }

    private static boolean isOutside(WrittenRanges batch, long place) {
        if (BlockIndex.file(place) > 0) {
            return true;
        }
        long from = BlockIndex.offset(place);
        List<WrittenPiece> within = new ArrayList<>();
        batch.addWithin(from, from + BlockIndex.BLOCK, within);
        return within.isEmpty();
    }

    private static boolean isEqual(WrittenPiece first, WrittenPiece other) {
        return first.bytes()
                        .duplicate()
                        .rewind()
                        .mismatch(other.bytes().duplicate().rewind())
                < 0;
    }

    private void compare(List<Candidate> candidates, MappedBytes mapped, WrittenRanges result, Map<Long, Long> learned)
            throws IOException {
        for (int i = 0; i < candidates.size(); ) {
            Candidate first = candidates.get(i);
            int next = i + 1;
            while (next < candidates.size()
                    && first.isContinuedBy(candidates.get(next), (long) (next - i) * BlockIndex.BLOCK)) {
                next++;
            }
            ByteBuffer there = ByteBuffer.allocate((next - i) * BlockIndex.BLOCK);
            boolean isRead = read(first, mapped, there);
            for (; i < next; i++) {
                Candidate each = candidates.get(i);
                int at = (int) (each.from - first.from);
                ByteBuffer known = there.duplicate().position(at).limit(at + BlockIndex.BLOCK);
                ByteBuffer bytes = each.block.bytes().duplicate().rewind();
                if (isRead && known.mismatch(bytes) < 0) {
                    result.put(WrittenPiece.logged(each.block.offset(), BlockIndex.BLOCK, placeOf(each)));
                    shared.add(BlockIndex.BLOCK);
                } else {
                    // The place has other bytes by now.
                    learned.put(BlockIndex.hash(bytes), each.block.offset());
                }
            }
        }
    }

    private boolean read(Candidate first, MappedBytes mapped, ByteBuffer into) throws IOException {
        try {
            if (first.file == 0) {
                mapped.read(first.from, into);
                return true;
            }
            PackingInput input = sources.get(first.file - 1).input();
            while (into.hasRemaining()) {
                if (input.read(first.from + into.position(), into) < 0) {
                    return false;
                }
            }
            return true;
        } catch (FileNotFoundException e) {
            // The bytes were moved to other contents since they were looked up.
            return false;
        }
    }

    /** Returns the place from which the vector clones: a file by its path. */
    private LogPlace placeOf(Candidate block) {
        if (block.file == 0) {
            return new LogPlace(volume, version, block.from);
        }
        LocatedFile file = sources.get(block.file - 1).file();
        return new LogPlace(file.status().path(), file.status().version(), block.from);
    }

    /** Learns that the map has a batch. */
    void mapped(Batch batch) {
        batch.learned().forEach((hash, offset) -> index.put(hash, BlockIndex.place(0, offset)));
    }
}
