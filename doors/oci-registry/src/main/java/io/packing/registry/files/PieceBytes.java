// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import io.packing.worker.api.PackingInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

/** The bytes of an open file, a piece at a time; the next pieces may be read ahead. Confined to one thread. */
final class PieceBytes extends BulkInputStream {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    /** A piece under way, which begins at a position. */
    private record Coming(long from, int count, FutureTask<ByteBuffer> bytes) {
        /** Pieces of memory that it takes. */
        int held() {
            return pieces(count);
        }
    }

    private final PackingInput file;
    private final long end;
    /** Pieces of memory that this has. */
    private final int mostHeld;

    private final ReadAhead readAhead;
    private final Runnable closed;
    private final Deque<Coming> coming = new ArrayDeque<>();

    private ByteBuffer piece = NONE;
    /** The start of the next piece. */
    private long position;

    private boolean isClosed;

    /**
     * Opens the bytes of a file from a position on.
     *
     * @param mostHeld pieces of memory, at least one
     * @param closed called once when this is closed
     */
    PieceBytes(PackingInput file, long from, int mostHeld, ReadAhead readAhead, Runnable closed) {
        this.file = file;
        this.position = from;
        this.end = file.attributes().length();
        this.mostHeld = mostHeld;
        this.readAhead = readAhead;
        this.closed = closed;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        if (count == 0) {
            return 0;
        }
        if (!piece.hasRemaining() && !advance()) {
            return -1;
        }
        int n = Math.min(count, piece.remaining());
        piece.get(into, offset, n);
        return n;
    }

    @Override
    public long transferTo(OutputStream out) throws IOException {
        long count = 0;
        while (piece.hasRemaining() || advance()) {
            int n = piece.remaining();
            out.write(piece.array(), piece.arrayOffset() + piece.position(), n);
            piece.position(piece.limit());
            count += n;
        }
        return count;
    }

    /** Goes on to the next piece; returns false at the end. */
    private boolean advance() throws IOException {
        if (position >= end) {
            return false;
        }
        // The next piece may fail to come, and is read again then.
        giveBackPiece();
        boolean isComing = !coming.isEmpty() && coming.element().from() == position;
        Coming next = isComing ? coming.remove() : begin(position, ReadAhead.PIECE);
        readAhead(position + next.count(), next.held());
        piece = Interruptions.runOrGet(next.bytes());
        position += next.count();
        return true;
    }

    private static int pieces(int bytes) {
        return (bytes + ReadAhead.PIECE - 1) / ReadAhead.PIECE;
    }

    private void giveBackPiece() {
        if (piece.capacity() > 0) {
            readAhead.give(piece);
        }
        piece = NONE;
    }

    /**
     * Begins pieces behind those under way, which begin at a position.
     *
     * @param sent pieces of memory of the bytes that are sent meanwhile
     */
    private void readAhead(long from, int sent) {
        long at = coming.isEmpty()
                ? from
                : coming.getLast().from() + coming.getLast().count();
        int held = sent + coming.stream().mapToInt(Coming::held).sum();
        // Longer runs need memory for two of them beside the sent bytes.
        int most = mostHeld >= 3 * pieces(ReadAhead.RUN) ? ReadAhead.RUN : ReadAhead.PIECE;
        while (coming.size() < ReadAhead.MOST_AHEAD && held + pieces(most) <= mostHeld && at < end) {
            Coming next = begin(at, most);
            coming.add(next);
            at += next.count();
            held += next.held();
            try {
                readAhead.threads().execute(next.bytes());
            } catch (RejectedExecutionException e) {
                // The registry stops: this thread does it when its turn has come.
                return;
            }
        }
    }

    /** Begins a piece: the bytes that the file checks as a whole, or gets with one request. */
    private Coming begin(long from, int most) {
        long to = Math.min(Math.min(end, Math.max(from + 1, file.runEnd(from, most))), from + most);
        int count = (int) (to - from);
        return new Coming(from, count, new FutureTask<>(() -> read(from, count)));
    }

    private ByteBuffer read(long from, int count) throws IOException {
        ByteBuffer memory = readAhead.take(count);
        try {
            while (memory.hasRemaining()) {
                int n = file.readOnce(from + memory.position(), memory);
                if (n <= 0) {
                    // A file version never changes: fewer bytes than it has are a failure, not its end.
                    throw new EOFException("a file of %d bytes ended at %d".formatted(end, from + memory.position()));
                }
            }
            return memory.flip();
        } catch (IOException | RuntimeException e) {
            readAhead.give(memory);
            throw e;
        }
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        giveBackPiece();
        // Those that a thread reads at this moment keep their memory.
        coming.forEach(each -> Interruptions.cancel(each.bytes(), readAhead::give));
        file.close();
        closed.run();
    }
}
