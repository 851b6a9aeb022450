// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.files.BulkInputStream;
import io.packing.registry.files.Interruptions;
import io.packing.registry.files.ReadAhead;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

/**
 * A tar stream as its recipe makes it. Its slices are restored in parallel, a few ahead of the reader (§4.2.2), or one
 * after the other without memory for that. Confined to one thread.
 */
final class RestoredTar extends BulkInputStream {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    private static final int SLICE_BYTES = 1 << 20;
    /** Each is a request at least. */
    private static final int SLICE_CONTENTS = 32;
    /** Slices under way, while their bytes fit as well. */
    private static final int SLICES_AHEAD = 8;

    private static final int BYTES_AHEAD = 2 * ReadAhead.PIECE;
    /**
     * The pieces of memory of a stream that reads ahead: for the read under way, the next one, and the bytes that are
     * sent.
     */
    private static final int PIECES = 4;

    /**
     * Bytes of a step.
     *
     * @param from offset in the step
     */
    private record Part(Step step, long from, int count) {}

    private record Slice(int length, FutureTask<ByteBuffer> task) {}

    private final ContentSource contents;
    private final Steps recipe;
    private final ReadAhead readAhead;
    private final boolean ahead;
    private final Deque<Slice> slices = new ArrayDeque<>();
    private int bytesAhead;
    private Optional<Step> step;
    private long stepDone;
    private ByteBuffer slice = NONE;
    private boolean isClosed;

    /**
     * Starts at a position.
     *
     * @param recipe is closed with this
     */
    RestoredTar(ContentSource contents, Steps recipe, ReadAhead readAhead, long position) throws IOException {
        this.contents = contents;
        this.recipe = recipe;
        this.readAhead = readAhead;
        this.step = recipe.next();
        long left = position;
        while (step.isPresent() && left >= step.get().length()) {
            left -= step.get().length();
            step = recipe.next();
        }
        this.stepDone = left;
        this.ahead = readAhead.reserve(PIECES);
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        if (!advance()) {
            return -1;
        }
        int n = Math.min(count, slice.remaining());
        slice.get(into, offset, n);
        return n;
    }

    @Override
    public long transferTo(OutputStream out) throws IOException {
        long count = 0;
        while (advance()) {
            int n = slice.remaining();
            out.write(slice.array(), slice.arrayOffset() + slice.position(), n);
            slice.position(slice.limit());
            count += n;
        }
        return count;
    }

    /** Goes on to a slice that has bytes, unless this one has some; returns false at the end. */
    private boolean advance() throws IOException {
        while (!slice.hasRemaining()) {
            giveBackSlice();
            begin();
            if (slices.isEmpty()) {
                return false;
            }
            Slice next = slices.remove();
            bytesAhead -= ReadAhead.memory(next.length());
            slice = Interruptions.runOrGet(next.task());
        }
        return true;
    }

    private void giveBackSlice() {
        if (slice.capacity() > 0) {
            readAhead.give(slice);
        }
        slice = NONE;
    }

    /** Begins slices, as many as may be under way. */
    private void begin() throws IOException {
        while (step.isPresent()
                && (slices.isEmpty() || (ahead && slices.size() < SLICES_AHEAD && bytesAhead < BYTES_AHEAD))) {
            List<Part> parts = nextParts();
            int length = parts.stream().mapToInt(Part::count).sum();
            Slice slice = new Slice(length, new FutureTask<>(() -> restore(parts, length)));
            slices.add(slice);
            bytesAhead += ReadAhead.memory(length);
            // This thread is about to wait for the first one.
            if (ahead && slices.size() > 1) {
                try {
                    readAhead.threads().execute(slice.task());
                } catch (RejectedExecutionException e) {
                    // The registry stops: this thread does it when its turn has come.
                    return;
                }
            }
        }
    }

    /**
     * Returns the parts of the next slice. A part of a large content ends where a read of the mount ends, since the
     * mount checks such a read as a whole.
     */
    private List<Part> nextParts() throws IOException {
        List<Part> parts = new ArrayList<>();
        int bytes = 0;
        int contents = 0;
        while (step.isPresent() && bytes < SLICE_BYTES && contents < SLICE_CONTENTS) {
            Step now = step.get();
            int most = SLICE_BYTES - bytes;
            if (ahead && now instanceof Step.Content) {
                int untilChecked = (int) (ReadAhead.PIECE - stepDone % ReadAhead.PIECE);
                if (bytes > 0 && Math.min(now.length() - stepDone, untilChecked) > most) {
                    break;
                }
                most = untilChecked;
            }
            int n = (int) Math.min(now.length() - stepDone, most);
            parts.add(new Part(now, stepDone, n));
            bytes += n;
            contents += now instanceof Step.Content ? 1 : 0;
            stepDone += n;
            if (stepDone == now.length()) {
                step = recipe.next();
                stepDone = 0;
            }
        }
        return parts;
    }

    private ByteBuffer restore(List<Part> parts, int length) throws IOException {
        ByteBuffer memory = readAhead.take(length);
        try {
            restore(parts, memory.array(), memory.arrayOffset());
            return memory;
        } catch (IOException | RuntimeException e) {
            readAhead.give(memory);
            throw e;
        }
    }

    private void restore(List<Part> parts, byte[] bytes, int offset) throws IOException {
        List<ContentSource.Wanted> wanted = new ArrayList<>();
        int at = offset;
        for (Part part : parts) {
            if (part.step() instanceof Step.Literal literal) {
                literal.copy(part.from(), bytes, at, part.count());
            } else if (part.step() instanceof Step.Content content) {
                wanted.add(new ContentSource.Wanted(content.hex(), content.length(), part.from(), part.count(), at));
            }
            at += part.count();
        }
        if (!wanted.isEmpty()) {
            contents.read(wanted, bytes);
        }
    }

    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        giveBackSlice();
        // Those that a thread restores at this moment keep their memory.
        slices.forEach(each -> Interruptions.cancel(each.task(), readAhead::give));
        if (ahead) {
            readAhead.release(PIECES);
        }
        recipe.close();
    }
}
