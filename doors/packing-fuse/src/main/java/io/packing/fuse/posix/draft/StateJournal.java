// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.draft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The state of a mount's server that the kernel counts on: nodes, their names, and drafts. A record is in a local file
 * before the kernel gets its answer, but not synced: it serves after the death of a server, not of a machine. The file
 * is mapped: a record costs no system call. Zeros end it, which are no record. Thread-safe.
 */
public final class StateJournal implements AutoCloseable {
    /** The kinds of records, each with the meaning of its numbers and text. */
    public enum Kind {
        /** Numbers: parent, inode, type. Text: name. */
        NODE(1),
        /** Numbers: parent. Text: name. Only servers of earlier versions wrote it. */
        MOVED(2),
        /** No name leads to the node. */
        DETACHED(3),
        FORGOTTEN(4),
        /** Numbers: count of opens. */
        OPENS(5),
        /** Text: the path where it is kept without a name; empty without one. */
        KEPT(6),
        /** The record's node is a file id. Numbers: the inode number that programs see. */
        SHOWN(7),
        /**
         * Numbers: 1 for a new file, length, slot of its bytes; servers of earlier versions wrote no slot, and had a
         * file.
         */
        DRAFT(8),
        /** Numbers: start, end. */
        WRITTEN(9),
        /** Like WRITTEN, for published bytes. */
        LOCAL(10),
        /** Numbers: length. */
        RESIZED(11),
        /** Numbers: start, end, length of the base. */
        REBASED(12),
        /** The table has an empty file. */
        ON_EMPTY(13),
        PUBLISHED(14),
        DISCARDED(15),
        /** Numbers: mtime, mode, 1 for an exclusive create, nanoseconds of the mtime. Text: owner NUL group. */
        ATTRIBUTES(16),
        /** Numbers: size, published, cut. */
        SIZES(17),
        /** The node has another name. Numbers: parent. Text: name. */
        ALIAS(18),
        /** The node has lost a name, not the last one. Numbers: parent. Text: name. */
        LEFT(19),
        /** The node has another name instead of one. Numbers: parent, new parent. Text: name NUL new name. */
        RENAMED(20),
        /** The bytes of a draft have moved from a slot to a file. */
        IN_FILE(21),
        /**
         * A program has removed the node's file, which the table still has. Numbers: parent, file id, generation. Text:
         * name NUL path.
         */
        REMOVING(22),
        /** The table has lost that file. */
        REMOVED(23);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /** Returns the kind of a record; empty: it is none. */
        private static Optional<Kind> of(int number) {
            return Arrays.stream(KINDS).filter(kind -> kind.number == number).findFirst();
        }
    }

    private static final Kind[] KINDS = Kind.values();

    /** A receiver of records, in their order. */
    public interface Reader {
        void record(Kind kind, long node, List<Long> numbers, String text) throws IOException;
    }

    // 0:1 kind   1:2 count of numbers   2:4 length of text   4:12 node   then the numbers, then the text
    private static final int HEAD = 12;
    private static final long MOST_BYTES = 64L << 20;
    /** The bytes by which the file grows. */
    private static final int ROOM = 1 << 20;

    private final Path file;
    private FileChannel channel;
    /** The file from an offset on, mapped; the file has all of these bytes. */
    private ByteBuffer window = ByteBuffer.allocate(0);

    private long windowStart;
    private long written;

    private StateJournal(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Begins an empty journal, which takes its place with {@link #take}. */
    public static StateJournal begin(Path file) throws IOException {
        return new StateJournal(file, open(beside(file)));
    }

    private static Path beside(Path file) {
        return file.resolveSibling(file.getFileName() + ".new");
    }

    /** Moves it into its place, once it has all that counts. */
    public void take() throws IOException {
        Files.move(beside(file), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    /** Reads the journal of an earlier server. A torn record does not count, since the kernel got no answer for it. */
    public static void read(Path file, Reader reader) throws IOException {
        ByteBuffer all;
        try {
            all = ByteBuffer.wrap(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return;
        }
        while (all.remaining() >= HEAD) {
            Optional<Kind> kind = Kind.of(all.get(all.position()));
            int count = all.get(all.position() + 1);
            int length = all.getShort(all.position() + 2) & 0xffff;
            if (kind.isEmpty() || count < 0 || all.remaining() < HEAD + 8 * count + length) {
                return;
            }
            all.position(all.position() + 4);
            long node = all.getLong();
            List<Long> numbers = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                numbers.add(all.getLong());
            }
            byte[] text = new byte[length];
            all.get(text);
            reader.record(kind.get(), node, numbers, new String(text, StandardCharsets.UTF_8));
        }
    }

    /** Adds a record. On a full local disk the call that needs the record fails, and changes no state. */
    public void add(Kind kind, long node, String text, long... numbers) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        synchronized (this) {
            int size = HEAD + 8 * numbers.length + bytes.length;
            try {
                makeRoom(size);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            int start = (int) (written - windowStart);
            window.position(start + 1);
            window.put((byte) numbers.length).putShort((short) bytes.length);
            window.putLong(node);
            for (long number : numbers) {
                window.putLong(number);
            }
            window.put(bytes);
            // The kind comes last: a record that a killed server had begun is none.
            VarHandle.releaseFence();
            window.put(start, (byte) kind.number);
            written += size;
        }
    }

    /**
     * Maps more of the file. The file gets the bytes first, so that a full disk fails here and no write to memory does.
     */
    private void makeRoom(int size) throws IOException {
        if (written + size <= windowStart + window.capacity()) {
            return;
        }
        long end = written + Math.max(ROOM, size);
        ByteBuffer zeros = ByteBuffer.allocate((int) (end - channel.size()));
        while (zeros.hasRemaining()) {
            int unused = channel.write(zeros, channel.size());
        }
        window = channel.map(MapMode.READ_WRITE, written, end - written);
        windowStart = written;
    }

    /** Returns whether it should be written again, shorter. */
    public synchronized boolean isLong() {
        return written > MOST_BYTES;
    }

    /** Begins another journal for this place. */
    public StateJournal successor() throws IOException {
        return begin(file);
    }

    /** Goes on in a successor that has all that counts. No thread may add to either meanwhile. */
    public synchronized void become(StateJournal successor) throws IOException {
        successor.take();
        channel.close();
        channel = successor.channel;
        window = successor.window;
        windowStart = successor.windowStart;
        written = successor.written;
    }

    @Override
    public synchronized void close() throws IOException {
        // No thread may touch the mapped bytes from now on.
        window = ByteBuffer.allocate(0);
        windowStart = written;
        FileChannel unused = channel.truncate(written);
        channel.close();
    }
}
