package io.packing.registry.files;

import io.packing.worker.api.PackingInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

/** The bytes of an open file, a piece at a time, of which the next may be read ahead. Confined to one thread. */
final class PieceBytes extends BulkInputStream {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final PackingInput file;
    private final long end;
    private final boolean ahead;
    private final Executor threads;
    private final Runnable closed;
    /** Where the next piece begins. */
    private long position;

    private Optional<FutureTask<ByteBuffer>> next = Optional.empty();
    private ByteBuffer piece = NONE;
    /** The memory of the piece before, never that of the piece. */
    private ByteBuffer spare = NONE;

    private boolean isClosed;

    /** @param closed told once when this is closed */
    PieceBytes(PackingInput file, long from, boolean ahead, Executor threads, Runnable closed) {
        this.file = file;
        this.position = from;
        this.end = file.attributes().length();
        this.ahead = ahead;
        this.threads = threads;
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

    /** Goes on to the next piece; false: there is none. */
    private boolean advance() throws IOException {
        if (position >= end) {
            return false;
        }
        // The memory of the piece that was read is filled anew. The next piece may fail to come.
        spare = piece;
        piece = NONE;
        FutureTask<ByteBuffer> task = next.orElseGet(this::nextPiece);
        next = Optional.empty();
        piece = Interruptions.runOrGet(task);
        position += piece.remaining();
        if (ahead && position < end) {
            FutureTask<ByteBuffer> following = nextPiece();
            try {
                threads.execute(following);
            } catch (RejectedExecutionException e) {
                // The registry stops; what is under way may still end.
                following.run();
            }
            next = Optional.of(following);
        }
        return true;
    }

    private FutureTask<ByteBuffer> nextPiece() {
        long from = position;
        int count = (int) Math.min(ReadAhead.PIECE, end - from);
        ByteBuffer memory = spare.capacity() >= count ? spare : ByteBuffer.allocate(count);
        return new FutureTask<>(() -> {
            int n = file.read(from, memory.clear().limit(count));
            if (n <= 0) {
                // A file version never changes: fewer bytes than it has are a failure, not its end.
                throw new EOFException("a file of %d bytes ended at %d".formatted(end, from));
            }
            return memory.flip();
        });
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        next.ifPresent(task -> task.cancel(false));
        file.close();
        closed.run();
    }
}
