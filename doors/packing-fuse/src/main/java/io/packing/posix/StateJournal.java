package io.packing.posix;

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
 * What the server of a mount knows and the kernel counts on: nodes, their names, and drafts. It is appended to a local file before
 * the kernel gets its answer, and not synced: it is for a server that dies, not for a machine that does. The file is mapped: a record costs
 * no system call. It ends with zeros, which are no record. Thread-safe.
 */
final class StateJournal implements AutoCloseable {
    /** Of records: what happened, to which node, with which numbers and text. */
    enum Kind {
        /** Numbers: parent, inode, type. Text: name. */
        NODE(1),
        /** Numbers: parent. Text: name. As servers of before wrote it. */
        MOVED(2),
        /** No name leads to it. */
        DETACHED(3),
        FORGOTTEN(4),
        /** Numbers: how often it is open. */
        OPENS(5),
        /** Text: the path where it is kept without a name, or nothing. */
        KEPT(6),
        /** Of the node's number as a file id. Numbers: the inode number that programs see. */
        SHOWN(7),
        /** Numbers: 1 for a new file, length, slot of its bytes; servers of before wrote no slot, and had a file. */
        DRAFT(8),
        /** Numbers: start, end. */
        WRITTEN(9),
        /** As written, of bytes that are published. */
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
        /** Another name. Numbers: parent. Text: name. */
        ALIAS(18),
        /** A name less, and not the last one. Numbers: parent. Text: name. */
        LEFT(19),
        /** Another name instead of one. Numbers: parent, new parent. Text: name NUL new name. */
        RENAMED(20),
        /** The bytes of a draft are in a file by now, and no more in a slot. */
        IN_FILE(21);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /** The kind that a record has; empty: the record is none. */
        private static Optional<Kind> of(int number) {
            return Arrays.stream(KINDS).filter(kind -> kind.number == number).findFirst();
        }
    }

    private static final Kind[] KINDS = Kind.values();

    /** Takes records, in the order in which they were added. */
    interface Reader {
        void record(Kind kind, long node, List<Long> numbers, String text) throws IOException;
    }

    // 0:1 kind   1:2 count of numbers   2:4 length of text   4:12 node   then the numbers, then the text
    private static final int HEAD = 12;
    private static final long MOST_BYTES = 64L << 20;
    /** Bytes that the file gets at a time. */
    private static final int ROOM = 1 << 20;

    private final Path file;
    private FileChannel channel;
    /** The file from an offset on; all of these bytes are in it. */
    private ByteBuffer window = ByteBuffer.allocate(0);

    private long windowStart;
    private long written;

    private StateJournal(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** An empty one, which takes its place when {@link #take} is called. */
    static StateJournal begin(Path file) throws IOException {
        return new StateJournal(file, open(beside(file)));
    }

    private static Path beside(Path file) {
        return file.resolveSibling(file.getFileName() + ".new");
    }

    /** Puts it into its place: all that counts is in it. */
    void take() throws IOException {
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

    /** Reads what an earlier server wrote. A record that is cut off was not answered, and does not count. */
    static void read(Path file, Reader reader) throws IOException {
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

    /** Adds a record. A local disk that is full ends the call that needs it, with what is known unchanged. */
    void add(Kind kind, long node, String text, long... numbers) {
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

    /** The file has the bytes before they are mapped: on a full disk that fails here, and no write to memory does. */
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

    /** Whether it is time to write it again, shorter. */
    synchronized boolean isLong() {
        return written > MOST_BYTES;
    }

    /** Another one for the same place. */
    StateJournal successor() throws IOException {
        return begin(file);
    }

    /** Goes on in a successor that has all that counts. Nobody may add to either meanwhile. */
    synchronized void become(StateJournal successor) throws IOException {
        successor.take();
        channel.close();
        channel = successor.channel;
        window = successor.window;
        windowStart = successor.windowStart;
        written = successor.written;
    }

    @Override
    public synchronized void close() throws IOException {
        // Nobody may touch what is mapped from now on.
        window = ByteBuffer.allocate(0);
        windowStart = written;
        FileChannel unused = channel.truncate(written);
        channel.close();
    }
}
