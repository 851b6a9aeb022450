// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;

/**
 * The gets of an old file's index and filter blocks in the hour before its compaction. Each block is read once, in no
 * order.
 */
final class TailReads implements Activity {
    static final long BEFORE_NANOS = 3_600_000_000_000L;

    private final StoreFile file;
    private final Events events;
    private final HBaseNames names;
    private final int blockBytes;
    private final long start;
    private final long blocks;
    private final Permutation order;
    private final double period;
    private long stream = TraceEvent.NONE;
    private long done;
    private long time;

    TailReads(long compaction, StoreFile file, int blockBytes, Events events, HBaseNames names) {
        this.file = file;
        this.events = events;
        this.names = names;
        this.blockBytes = blockBytes;
        this.start = Math.max(0, compaction - BEFORE_NANOS);
        this.blocks = (file.size() - file.scanned() + blockBytes - 1) / blockBytes;
        this.order = new Permutation(blocks, file.size());
        this.period = (double) (compaction - start) / (blocks + 1);
        this.time = blocks == 0 ? OVER : start;
    }

    @Override
    public long time() {
        return time;
    }

    @Override
    public TraceEvent step() {
        long at = time;
        if (stream == TraceEvent.NONE) {
            stream = events.newStream();
            return events.onPath(at, Call.OPEN_FILE, names.handler(done), stream, file.path(), "", file.size());
        }
        if (done == blocks) {
            time = OVER;
            return events.onStream(at, Call.CLOSE_INPUT, names.handler(done), stream, file.path(), TraceEvent.NONE);
        }
        long offset = file.scanned() + order.of(done) * blockBytes;
        long bytes = Math.min(blockBytes, file.size() - offset);
        String thread = names.handler(done);
        done++;
        time = start + (long) (done * period);
        return events.io(at, Call.PREAD_BYTE_BUFFER, thread, "get", stream, file.path(), offset, bytes);
    }
}
