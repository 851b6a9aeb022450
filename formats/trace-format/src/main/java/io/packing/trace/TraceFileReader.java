// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * A reader of one trace file, from its start to its end or its tear. It passes over a damaged block and counts it: the
 * next one stands by itself. Memory: one block. Confined to one thread.
 */
public final class TraceFileReader implements TraceSource {
    private static final int READ_BYTES = 1 << 16;

    private final String name;
    private final InputStream in;
    private final Inflater inflater = new Inflater(true);
    private final int tickNanos;
    private int version = TraceLayout.VERSION_1;
    private @Nullable BlockDecoder block;
    private int lostIfDamaged;
    private boolean ended;
    private long events;
    private long dropped;
    private long unknownCalls;
    private long damagedBlocks;
    private long lostEvents;
    private long skippedBytes;
    private boolean torn;

    private TraceFileReader(String name, InputStream in) throws IOException {
        this.name = name;
        this.in = in;
        this.tickNanos = readHeader();
    }

    /**
     * Opens a file. It reads a file that ends before its header as an empty, torn one: the writer crashed.
     *
     * @throws CorruptTraceException when it is no trace, or of a version that this code does not know
     */
    public static TraceFileReader open(Path file) throws IOException {
        return of(file.toString(), Files.newInputStream(file));
    }

    /** Reads a stream, which is closed with the reader. */
    public static TraceFileReader of(String name, InputStream stream) throws IOException {
        try {
            return new TraceFileReader(name, new BufferedInputStream(stream, READ_BYTES));
        } catch (IOException | RuntimeException e) {
            stream.close();
            throw e;
        }
    }

    private int readHeader() throws IOException {
        byte[] bytes = in.readNBytes(TraceLayout.HEADER_SIZE);
        ByteBuffer header = TraceLayout.fields(Arrays.copyOf(bytes, TraceLayout.HEADER_SIZE));
        if (bytes.length < TraceLayout.HEADER_SIZE && startsLikeAHeader(bytes)) {
            torn(bytes.length);
            return 1;
        }
        if (header.getLong(0) != TraceLayout.HEADER_MAGIC) {
            throw new CorruptTraceException("%s is not a trace: it does not start with HFTRACE".formatted(name));
        }
        version = header.getInt(TraceLayout.VERSION_AT);
        int tick = header.getInt(TraceLayout.TICK_AT);
        int crc = TraceLayout.crc(bytes, 0, TraceLayout.HEADER_CRC_AT);
        if (header.getInt(TraceLayout.HEADER_CRC_AT) != crc) {
            throw new CorruptTraceException(
                    "%s: header crc %08x, want %08x".formatted(name, header.getInt(TraceLayout.HEADER_CRC_AT), crc));
        }
        if (version != TraceLayout.VERSION_1 && version != TraceLayout.VERSION_2) {
            throw new CorruptTraceException("%s is of version %d; this reader knows versions %d and %d: use a newer one"
                    .formatted(name, version, TraceLayout.VERSION_1, TraceLayout.VERSION_2));
        }
        if (tick < 1 || tick > TraceLayout.MAX_TICK_NANOS) {
            throw new CorruptTraceException("%s: a tick of %d ns".formatted(name, tick));
        }
        return tick;
    }

    /** Returns the version of the file's format. */
    public int version() {
        return version;
    }

    private static boolean startsLikeAHeader(byte[] bytes) {
        byte[] magic = new byte[Long.BYTES];
        TraceLayout.fields(magic).putLong(0, TraceLayout.HEADER_MAGIC);
        int known = Math.min(bytes.length, magic.length);
        return Arrays.equals(bytes, 0, known, magic, 0, known);
    }

    @Override
    public Optional<TraceEvent> next() throws IOException {
        while (true) {
            BlockDecoder current = block;
            if (current != null && current.hasNext()) {
                try {
                    return Optional.of(counted(current.next()));
                } catch (CorruptTraceException e) {
                    // The checksum is right and the content is wrong: the writer had a fault, and the rest of the block
                    // is useless.
                    damaged(lostIfDamaged, 0);
                    block = null;
                }
            } else if (ended || !readBlock()) {
                return Optional.empty();
            }
        }
    }

    private TraceEvent counted(TraceEvent event) {
        lostIfDamaged--;
        events++;
        if (event.call() == Call.UNKNOWN) {
            unknownCalls++;
        }
        return event;
    }

    /** Returns the counts of read and unread events so far. */
    public TraceReport report() {
        return new TraceReport(events, dropped, unknownCalls, damagedBlocks, lostEvents, skippedBytes, 0, torn);
    }

    /** Reads on to the next block. Returns false at the end. */
    private boolean readBlock() throws IOException {
        block = null;
        byte[] bytes = new byte[TraceLayout.BLOCK_HEADER_SIZE];
        int count = in.readNBytes(bytes, 0, bytes.length);
        Optional<BlockHeader> header = BlockHeader.of(bytes, count);
        while (header.isEmpty() && count == bytes.length) {
            // Not at a block: search for the next one, a byte at a time.
            skippedBytes++;
            System.arraycopy(bytes, 1, bytes, 0, count - 1);
            int next = in.read();
            if (next < 0) {
                count--;
                break;
            }
            bytes[count - 1] = (byte) next;
            header = BlockHeader.of(bytes, count);
        }
        if (header.isEmpty()) {
            ended = true;
            if (count > 0) {
                torn(count);
            }
            return false;
        }
        return readPayload(header.get());
    }

    private boolean readPayload(BlockHeader header) throws IOException {
        // The array grows with the bytes that the file has, whatever the header says.
        byte[] stored = in.readNBytes(header.stored());
        if (stored.length < header.stored()) {
            torn(TraceLayout.BLOCK_HEADER_SIZE + (long) stored.length);
            return false;
        }
        dropped += header.dropped();
        lostIfDamaged = header.events();
        try {
            block = decode(header, stored);
        } catch (CorruptTraceException e) {
            damaged(header.events(), TraceLayout.BLOCK_HEADER_SIZE + (long) stored.length);
        }
        return true;
    }

    private BlockDecoder decode(BlockHeader header, byte[] stored) throws CorruptTraceException {
        if (TraceLayout.crc(stored, 0, stored.length) != header.payloadCrc()) {
            throw new CorruptTraceException("%s: a block does not match its checksum".formatted(name));
        }
        byte[] payload = new byte[header.inflated()];
        inflater.reset();
        inflater.setInput(stored);
        try {
            int count = 0;
            while (count < payload.length && !inflater.finished()) {
                int more = inflater.inflate(payload, count, payload.length - count);
                if (more == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                    break;
                }
                count += more;
            }
            if (count != payload.length || !isFinished()) {
                throw new CorruptTraceException("%s: a block is not as long as it says".formatted(name));
            }
        } catch (DataFormatException e) {
            throw new CorruptTraceException("%s: a block cannot be inflated".formatted(name), e);
        }
        return new BlockDecoder(payload, payload.length, header.events(), version, tickNanos);
    }

    private boolean isFinished() throws DataFormatException {
        return inflater.finished() || (inflater.inflate(new byte[1]) == 0 && inflater.finished());
    }

    private void damaged(int lost, long bytes) {
        damagedBlocks++;
        lostEvents += lost;
        skippedBytes += bytes;
    }

    private void torn(long bytes) {
        ended = true;
        torn = true;
        skippedBytes += bytes;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
