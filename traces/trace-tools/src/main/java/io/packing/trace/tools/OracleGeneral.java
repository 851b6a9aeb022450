// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSink;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * A writer of the oracleGeneral format, which cache simulators such as libCacheSim read.
 *
 * <p>A request has 24 bytes, little-endian: time (u32, seconds since the first event), object id (u64), object size
 * (u32), next request (i64). The last is the number of the next request for the object, or -1.
 *
 * <p>An object is a block of a file. A call that moves bytes requests each block that it touches. The next request is
 * known only at the end, so a second pass runs backwards over the file. Memory grows with the number of objects.
 */
public final class OracleGeneral implements TraceSink {
    static final int RECORD = 24;

    private static final int NEXT_AT = 16;
    private static final int ID_AT = 4;
    private static final int CHUNK_RECORDS = 1 << 16;
    private static final long NANOS = 1_000_000_000;
    private static final long NEVER = -1;

    private final Path file;
    private final int blockBytes;
    private final DataOutputStream out;
    private final ByteBuffer record = ByteBuffer.allocate(RECORD).order(ByteOrder.LITTLE_ENDIAN);
    private long zero = Long.MIN_VALUE;

    /**
     * @param file must not exist yet
     * @param blockBytes size of the objects
     */
    public OracleGeneral(Path file, int blockBytes) throws IOException {
        if (blockBytes < 1) {
            throw new IllegalArgumentException("blocks of %d bytes".formatted(blockBytes));
        }
        this.file = file;
        this.blockBytes = blockBytes;
        OutputStream stream = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        this.out = new DataOutputStream(new BufferedOutputStream(stream, 1 << 16));
    }

    @Override
    public void write(TraceEvent event) throws IOException {
        if (event.bytes() == 0 || event.offset() == TraceEvent.NONE) {
            return;
        }
        if (zero == Long.MIN_VALUE) {
            zero = event.wallNanos();
        }
        long seconds = Math.max(0, (event.wallNanos() - zero) / NANOS);
        long pathHash = hash(event.path());
        for (long block = event.offset() / blockBytes; block <= (event.end() - 1) / blockBytes; block++) {
            record.clear()
                    .putInt((int) seconds)
                    .putLong(mix(pathHash + block))
                    .putInt(blockBytes)
                    .putLong(NEVER);
            out.write(record.array(), record.arrayOffset(), RECORD);
        }
    }

    /** Returns the hash of a text (FNV-1a, 64 bits). */
    private static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    /** Spreads adjacent blocks over all 64 bits (the finaliser of SplitMix64). */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    @Override
    public void close() throws IOException {
        out.close();
        Map<Long, Long> next = new HashMap<>();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long records = channel.size() / RECORD;
            for (long end = records; end > 0; end -= Math.min(end, CHUNK_RECORDS)) {
                long start = end - Math.min(end, CHUNK_RECORDS);
                ByteBuffer chunk =
                        ByteBuffer.allocate((int) (end - start) * RECORD).order(ByteOrder.LITTLE_ENDIAN);
                while (chunk.hasRemaining() && channel.read(chunk, start * RECORD + chunk.position()) >= 0) {
                    // The loop reads until the chunk is full.
                }
                for (long i = end - 1; i >= start; i--) {
                    int at = (int) (i - start) * RECORD;
                    Long later = next.put(chunk.getLong(at + ID_AT), i);
                    chunk.putLong(at + NEXT_AT, later == null ? NEVER : later);
                }
                chunk.clear();
                while (chunk.hasRemaining()) {
                    channel.write(chunk, start * RECORD + chunk.position());
                }
            }
        }
    }
}
