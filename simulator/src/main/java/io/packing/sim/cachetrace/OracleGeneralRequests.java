// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * A trace in libCacheSim's binary format oracleGeneral, plain or compressed with zstd or gzip.
 *
 * <p>Records of 24 bytes, little-endian: seconds (4 bytes), object (8), its bytes (4), number of the object's next
 * request (8; -1 or the largest number for none). The format has no header. A file of another format is recognized by
 * its first records: most of them name a next request that is past already or beyond all traces.
 */
public final class OracleGeneralRequests implements CacheRequests {
    static final int RECORD = 24;

    private static final int OBJECT_AT = 4;
    private static final int BYTES_AT = 12;
    private static final int NEXT_AT = 16;
    private static final int RECORDS_IN_BUFFER = 1 << 12;
    private static final int RECORDS_TO_JUDGE = 64;
    private static final long MOST_REQUESTS = 1L << 48;
    private static final long UINT = 0xffff_ffffL;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Path file;
    private final TraceInput input;
    private final byte[] buffer = new byte[RECORD * RECORDS_IN_BUFFER];
    private int at;
    private int end;
    private long record;
    private long object;
    private long bytes;
    private long time;
    private boolean torn;
    private long empty;
    private long backwards;

    private OracleGeneralRequests(Path file, TraceInput input) {
        this.file = file;
        this.input = input;
    }

    /**
     * Opens a trace and checks its first records.
     *
     * @throws MalformedTraceException if these are no records, or the file has none
     */
    public static OracleGeneralRequests open(Path file) throws IOException {
        TraceInput input = TraceInput.open(file);
        try {
            OracleGeneralRequests requests = new OracleGeneralRequests(file, input);
            requests.fill();
            requests.judge();
            return requests;
        } catch (IOException | RuntimeException e) {
            input.close();
            throw e;
        }
    }

    private void fill() throws IOException {
        at = 0;
        end = input.readNBytes(buffer, 0, buffer.length);
        int rest = end % RECORD;
        torn |= rest != 0 || input.torn();
        end -= rest;
    }

    private void judge() throws MalformedTraceException {
        int records = Math.min(RECORDS_TO_JUDGE, end / RECORD);
        if (records == 0) {
            throw new MalformedTraceException("%s: it has no record of %d bytes".formatted(file, RECORD));
        }
        int impossible = 0;
        for (int i = 0; i < records; i++) {
            long next = (long) LONG.get(buffer, i * RECORD + NEXT_AT);
            // Some writers count requests from 0, others from 1; -2 means "unknown".
            boolean never = next == -1 || next == -2 || next == Long.MAX_VALUE;
            impossible += never || (next >= i && next < MOST_REQUESTS) ? 0 : 1;
        }
        if (impossible * 2 > records) {
            throw new MalformedTraceException(
                    "%s: not oracleGeneral: of the first %d records, %d name a next request that cannot be"
                            .formatted(file, records, impossible));
        }
    }

    @Override
    public boolean advance() throws IOException {
        while (true) {
            if (at == end) {
                if (end < buffer.length) {
                    return false;
                }
                fill();
                if (end == 0) {
                    return false;
                }
            }
            long seconds = (int) INT.get(buffer, at) & UINT;
            object = (long) LONG.get(buffer, at + OBJECT_AT);
            bytes = (int) INT.get(buffer, at + BYTES_AT) & UINT;
            at += RECORD;
            backwards += record++ > 0 && seconds < time ? 1 : 0;
            time = seconds;
            if (bytes > 0) {
                return true;
            }
            empty++;
        }
    }

    @Override
    public long object() {
        return object;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public TraceDefects damage() {
        return new TraceDefects(torn, 0, empty, backwards);
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
