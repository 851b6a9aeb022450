// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.blob.CorruptBlobException;
import io.packing.blob.RangeSource;
import io.packing.worker.buffer.BufferSegment;
import io.packing.worker.buffer.CheckedRecords;
import io.packing.worker.buffer.FillingSegments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * The bytes of a blob that fills while it is sent: the records of its segment, each after it was committed and checked,
 * then zeros up to the announced footer offset, then footer and trailer. Confined to one thread.
 */
final class SegmentStream extends InputStream {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final byte[] ZEROS = new byte[64 << 10];
    /** The longest wait for more bytes at once, so that a stall is seen in time. */
    private static final long WAIT_MILLIS = 100;

    /** The last part of a blob. */
    interface Ending {
        /** Returns the bytes from the footer offset on; throws a {@link PushCutException} if there can be none. */
        ByteBuffer bytes(CheckedRecords records) throws IOException, InterruptedException;
    }

    private final FillingSegments filling;
    private final BufferSegment segment;
    private final RangeSource source;
    private final Announcement announced;
    private final Patience patience;
    private final Ending ending;
    private final CheckedRecords records;
    private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
    /** The bytes to hand out next. */
    private ByteBuffer out = window.duplicate();

    private long paddingLeft;
    private boolean bodyEnded;
    private boolean spent;

    /**
     * @param source of the segment's bytes
     * @param ending is asked once, when the segment has ended
     */
    SegmentStream(
            FillingSegments filling,
            BufferSegment segment,
            RangeSource source,
            Announcement announced,
            Patience patience,
            Ending ending) {
        this.filling = filling;
        this.segment = segment;
        this.source = source;
        this.announced = announced;
        this.patience = patience;
        this.ending = ending;
        this.records = new CheckedRecords(segment);
    }

    /** Returns whether the last byte was handed out. */
    boolean isSpent() {
        return spent && !out.hasRemaining();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!out.hasRemaining()) {
            if (spent) {
                return -1;
            }
            try {
                out = next();
            } catch (CorruptBlobException e) {
                PushCutException cut =
                        new PushCutException(PushCutException.Cause.DAMAGE, String.valueOf(e.getMessage()));
                cut.initCause(e);
                throw cut;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new PushCutException(PushCutException.Cause.STOP, "the worker stops");
            }
        }
        int count = Math.min(length, out.remaining());
        out.get(into, offset, count);
        return count;
    }

    private ByteBuffer next() throws IOException, InterruptedException {
        if (!bodyEnded) {
            FillingSegments.Size size = awaitMore();
            if (size.bytes() > records.position()) {
                return checked(size.bytes());
            }
            end();
        }
        if (paddingLeft > 0) {
            int count = (int) Math.min(ZEROS.length, paddingLeft);
            paddingLeft -= count;
            return ByteBuffer.wrap(ZEROS, 0, count);
        }
        spent = true;
        return ending.bytes(records);
    }

    private FillingSegments.Size awaitMore() throws IOException, InterruptedException {
        patience.begin();
        while (true) {
            FillingSegments.Size size = filling.awaitBeyond(segment, records.position(), WAIT_MILLIS);
            if (size.bytes() > records.position() || size.ended()) {
                return size;
            }
            patience.check();
        }
    }

    /** Returns the next whole records, checked. */
    private ByteBuffer checked(long committed) throws IOException {
        while (true) {
            int count = (int) Math.min(window.capacity(), committed - records.position());
            source.read(records.position(), window.clear().limit(count));
            int whole = records.check(window.flip());
            if (whole > 0) {
                return window.limit(whole);
            }
            if (count == committed - records.position()) {
                throw new CorruptBlobException(
                        "%s: the record at %d is cut off".formatted(segment, records.position()));
            }
            window = ByteBuffer.allocate(2 * window.capacity());
        }
    }

    private void end() throws IOException {
        bodyEnded = true;
        if (!announced.isReachedBy(records.position())) {
            throw new PushCutException(
                    PushCutException.Cause.SHORT,
                    "the segment ended at %,d of %,d bytes".formatted(records.position(), announced.footerOffset()));
        }
        paddingLeft = announced.footerOffset() - records.position();
    }
}
