// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.draft;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage of drafts' bytes: small ones in slots of one mapped file, so that they cost no system call, others in
 * files of their own. Both survive a kill of the process. Thread-safe.
 */
public final class DraftStorage implements Closeable {
    /** The bytes of a slot. */
    public static final int SLOT = 16 << 10;
    /** The number for a draft without a slot. */
    public static final int NO_SLOT = -1;

    private static final Logger LOG = LoggerFactory.getLogger(DraftStorage.class);

    private static final int SLOTS_A_MAP = 64;
    private static final int MAP = SLOTS_A_MAP * SLOT;
    private static final int MOST_MAPS = 64;

    private final Path directory;
    private final FileChannel slots;
    private final List<MappedByteBuffer> maps = new ArrayList<>();
    /** The free slots; the one that was given back last is taken first, since its pages are in memory. */
    private final Deque<Integer> free = new ArrayDeque<>();

    private final BitSet taken = new BitSet();

    private DraftStorage(Path directory, FileChannel slots) {
        this.directory = directory;
        this.slots = slots;
    }

    /**
     * Opens the room of a mount. The journal of an earlier server names the slots that it used.
     *
     * @param directory of drafts with files of their own
     * @param slots the file of all others; made if it is missing
     */
    public static DraftStorage open(Path directory, Path slots) throws IOException {
        return new DraftStorage(
                directory,
                FileChannel.open(slots, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    private Path file(long node) {
        return directory.resolve(Long.toString(node));
    }

    /** Makes room for a draft: a slot, if it may be small and one is free, or else a file. */
    DraftBytes make(long node, boolean mayBeSmall) throws IOException {
        OptionalInt slot = mayBeSmall ? take() : OptionalInt.empty();
        return slot.isPresent() ? inSlot(slot.getAsInt()) : inFile(node);
    }

    /** Makes a new file for a draft. */
    DraftBytes inFile(long node) throws IOException {
        Path file = file(node);
        return new InFile(
                file,
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE));
    }

    /** Returns whether an earlier server left a file for a draft. */
    public boolean hasFile(long node) {
        return Files.exists(file(node));
    }

    /** Opens the file that an earlier server left. */
    DraftBytes restoredFile(long node) throws IOException {
        Path file = file(node);
        return new InFile(file, FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /** Takes the slot of a draft of an earlier server. */
    synchronized DraftBytes restoredSlot(int slot) throws IOException {
        while (slot >= maps.size() * SLOTS_A_MAP) {
            addMap();
        }
        free.remove(slot);
        taken.set(slot);
        return inSlot(slot);
    }

    private synchronized OptionalInt take() {
        if (free.isEmpty() && maps.size() < MOST_MAPS) {
            try {
                addMap();
            } catch (IOException e) {
                // A disk without room for many slots may have room for one file.
                LOG.warn("no more slots for drafts: each gets a file of its own", e);
            }
        }
        Integer slot = free.poll();
        if (slot == null) {
            return OptionalInt.empty();
        }
        taken.set(slot);
        return OptionalInt.of(slot);
    }

    /**
     * Adds a map of slots. The file gets all bytes of the map first, so that a full disk fails here and no write to
     * memory does.
     */
    private void addMap() throws IOException {
        int first = maps.size() * SLOTS_A_MAP;
        long start = (long) first * SLOT;
        ByteBuffer zeros = ByteBuffer.allocate(SLOT);
        for (long at = Math.max(start, slots.size()); at < start + MAP; ) {
            zeros.clear().limit((int) Math.min(SLOT, start + MAP - at));
            at += slots.write(zeros, at);
        }
        maps.add(slots.map(MapMode.READ_WRITE, start, MAP));
        for (int slot = first; slot < first + SLOTS_A_MAP; slot++) {
            free.add(slot);
        }
    }

    private synchronized DraftBytes inSlot(int slot) {
        MappedByteBuffer map = maps.get(slot / SLOTS_A_MAP);
        return new InSlot(slot, map.slice(slot % SLOTS_A_MAP * SLOT, SLOT));
    }

    private synchronized void giveBack(int slot) {
        if (taken.get(slot)) {
            taken.clear(slot);
            free.push(slot);
        }
    }

    @Override
    public void close() throws IOException {
        slots.close();
    }

    /** The bytes of one draft, at their offsets. Guarded by the lock of the node. */
    interface DraftBytes {
        /** Returns their slot, or {@link #NO_SLOT}. */
        int slot();

        /** Returns the offset behind which no byte fits. */
        long most();

        void write(long offset, ByteBuffer from) throws IOException;

        /** Reads some bytes; returns -1 at the end. */
        int read(long offset, ByteBuffer into) throws IOException;

        /** Drops the bytes behind this length, which no call reads before it writes them again. */
        void cut(long length) throws IOException;

        void discard() throws IOException;
    }

    private final class InSlot implements DraftBytes {
        private final int slot;
        private final ByteBuffer bytes;

        InSlot(int slot, ByteBuffer bytes) {
            this.slot = slot;
            this.bytes = bytes;
        }

        @Override
        public int slot() {
            return slot;
        }

        @Override
        public long most() {
            return SLOT;
        }

        @Override
        public void write(long offset, ByteBuffer from) {
            ByteBuffer to = bytes.duplicate();
            to.position((int) offset);
            to.put(from);
        }

        @Override
        public int read(long offset, ByteBuffer into) {
            int length = (int) Math.min(into.remaining(), SLOT - offset);
            if (length <= 0) {
                return -1;
            }
            into.put(bytes.slice((int) offset, length));
            return length;
        }

        @Override
        public void cut(long length) {
            // The slot keeps its space for the next draft.
        }

        @Override
        public void discard() {
            giveBack(slot);
        }
    }

    private static final class InFile implements DraftBytes {
        private final Path file;
        private final FileChannel channel;

        InFile(Path file, FileChannel channel) {
            this.file = file;
            this.channel = channel;
        }

        @Override
        public int slot() {
            return NO_SLOT;
        }

        @Override
        public long most() {
            return Long.MAX_VALUE;
        }

        @Override
        public void write(long offset, ByteBuffer from) throws IOException {
            long at = offset;
            while (from.hasRemaining()) {
                at += channel.write(from, at);
            }
        }

        @Override
        public int read(long offset, ByteBuffer into) throws IOException {
            return channel.read(into, offset);
        }

        @Override
        public void cut(long length) throws IOException {
            if (channel.size() > length) {
                FileChannel unused = channel.truncate(length);
            }
        }

        @Override
        public void discard() throws IOException {
            channel.close();
            Files.deleteIfExists(file);
        }
    }
}
