// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The gets of data that no compaction reads: heat, repetition and sequentiality of Figs. 3.7 and 3.8.
 *
 * <p>A class of heat has a few schedules, each with h offsets for heat h. A block is read h times: at its own start
 * plus each offset of its schedule, modulo the length of the trace. So the trace is a window into an endless process,
 * and has all h reads of each block.
 *
 * <p>The reads at one offset of one schedule follow the order of the blocks' starts. A merge of these few thousand
 * orders gives the reads in time, without a state per block.
 */
final class LiveReads implements Activity {
    /** The number of offsets in all schedules of a class, enough for smooth intervals. */
    private static final int SCHEDULE_TARGET = 96;
    /** The least number of blocks per schedule. With fewer, a short trace would have coarse shares. */
    private static final int LEAST_BLOCKS = 8;

    private static final long PAIR_GAP_NANOS = 3_000_000;

    private final PriorityQueue<Cursor> cursors = new PriorityQueue<>(
            (a, b) -> Long.compare(a.time, b.time) != 0 ? Long.compare(a.time, b.time) : a.number - b.number);
    private final ArrayDeque<Second> seconds = new ArrayDeque<>();
    private final LiveFiles files;
    private final Events events;
    private final HBaseNames names;
    private final double pairShare;
    private final int blockBytes;
    private final double end;

    LiveReads(Workload workload, TraceModel model, double scale, long end, long seed, Events events, HBaseNames names) {
        this.events = events;
        this.names = names;
        this.end = end;
        this.pairShare = model.reading().pairShare();
        this.blockBytes = workload.requests().blockBytes();
        List<TraceModel.HeatClass> classes = model.reading().classes();
        long[] counts = new long[classes.size()];
        for (int c = 0; c < counts.length; c++) {
            counts[c] = Math.round(classes.get(c).bytes() * scale / (blockBytes * (1 + pairShare)));
        }
        this.files = new LiveFiles(workload, classes, counts, seed, names);
        Intervals intervals = new Intervals(workload.reads(), model.reading().nearShare(), end, seed);
        EvenSequence phases = new EvenSequence(seed ^ 0x7068L);
        for (int c = 0; c < counts.length; c++) {
            schedule(c, classes.get(c).heat(), counts[c], intervals, phases);
        }
    }

    private void schedule(int heatClass, int heat, long blocks, Intervals intervals, EvenSequence phases) {
        int wanted = Math.max(1, SCHEDULE_TARGET / heat);
        int schedules = (int) Math.max(1, Math.min(wanted, blocks / LEAST_BLOCKS));
        for (int s = 0; s < schedules; s++) {
            long first = blocks * s / schedules;
            long count = blocks * (s + 1) / schedules - first;
            if (count == 0) {
                continue;
            }
            double phase = phases.next();
            for (double offset : intervals.offsets(heat)) {
                cursors.add(new Cursor(cursors.size(), heatClass, first, count, phase, offset, end));
            }
        }
    }

    @Override
    public long time() {
        long first = cursors.isEmpty() ? OVER : cursors.element().time;
        long second = seconds.isEmpty() ? OVER : seconds.element().time;
        return Math.min(first, second);
    }

    @Override
    public TraceEvent step() {
        Second second = seconds.peek();
        if (second != null && (cursors.isEmpty() || second.time <= cursors.element().time)) {
            seconds.remove();
            return get(second.time, second.file, second.offset, second.thread);
        }
        Cursor cursor = cursors.element();
        LiveFiles.Slot slot = files.slot(cursor.heatClass, cursor.block());
        LiveFiles.LiveFile file = files.fileOf(slot);
        String thread = names.handler(slot.index() ^ cursor.number);
        if (file.stream == TraceEvent.NONE) {
            file.stream = events.newStream();
            return events.onPath(cursor.time, Call.OPEN_FILE, thread, file.stream, file.path, "", file.size);
        }
        long time = cursor.time;
        long offset = files.offsetOf(slot);
        cursors.remove();
        if (cursor.advance()) {
            cursors.add(cursor);
        }
        if (EvenSequence.at(slot.index()) < pairShare) {
            seconds.add(new Second(time + PAIR_GAP_NANOS, file, offset + blockBytes, thread));
        }
        return get(time, file, offset, thread);
    }

    private TraceEvent get(long time, LiveFiles.LiveFile file, long offset, String thread) {
        return events.io(time, Call.PREAD_BYTE_BUFFER, thread, "get", file.stream, file.path, offset, blockBytes);
    }

    private record Second(long time, LiveFiles.LiveFile file, long offset, String thread) {}

    /** The reads of a schedule's blocks at one offset from their starts, in order of time. */
    private static final class Cursor {
        private final int number;
        private final int heatClass;
        private final long first;
        private final long count;
        private final double phase;
        private final double offset;
        private final double end;
        private long index;
        private long left;
        private long time;

        Cursor(int number, int heatClass, long first, long count, double phase, double offset, double end) {
            this.number = number;
            this.heatClass = heatClass;
            this.first = first;
            this.count = count;
            this.phase = phase;
            this.offset = offset;
            this.end = end;
            this.left = count;
            // The cursor begins with the first block whose read would be behind the end and wraps to the beginning.
            long wrapped = (long) Math.ceil((end - offset) / end * count - phase);
            this.index = Math.floorMod(wrapped, count);
            this.time = timeOf(index);
        }

        long block() {
            return first + index;
        }

        boolean advance() {
            if (--left == 0) {
                return false;
            }
            index = index + 1 == count ? 0 : index + 1;
            time = Math.max(time, timeOf(index));
            return true;
        }

        private long timeOf(long block) {
            return (long) (((block + phase) / count * end + offset) % end);
        }
    }

    /** The times between reads of one block (Fig. 3.7, 0-line), drawn at random. */
    private static final class Intervals {
        private static final double MINUTE = 60e9;
        /** The share of the trace that intervals may fill. The rest separates the last read from the first one. */
        private static final double FILL = 0.9;

        private final Workload.Reads reads;
        private final double nearShare;
        private final double end;
        private final EvenSequence kinds;
        private final EvenSequence nears;
        private final EvenSequence fars;

        Intervals(Workload.Reads reads, double nearShare, double end, long seed) {
            this.reads = reads;
            this.nearShare = nearShare;
            this.end = end;
            this.kinds = new EvenSequence(seed ^ 0x6b69L);
            this.nears = new EvenSequence(seed ^ 0x6e65L);
            this.fars = new EvenSequence(seed ^ 0x6661L);
        }

        /** Returns the times of a block's reads in nanoseconds after the first one. The first element is 0. */
        double[] offsets(int heat) {
            List<Double> near = new ArrayList<>();
            boolean[] isNear = new boolean[heat];
            double nearSum = 0.0;
            for (int i = 1; i < heat; i++) {
                isNear[i] = kinds.next() < nearShare;
                if (isNear[i]) {
                    double minutes = nears.logBetween(reads.repeatFromMin(), Workload.Reads.NEAR_MINUTES);
                    near.add(minutes);
                    nearSum += minutes;
                }
            }
            // The far intervals share the rest of the trace, so a very hot block has no long one.
            int farCount = heat - 1 - near.size();
            double room = FILL * end / MINUTE - nearSum;
            double longest = longest(farCount, room);
            double[] draws = new double[heat];
            double sum = 0.0;
            for (int i = 1; i < heat; i++) {
                if (!isNear[i]) {
                    draws[i] = fars.logBetween(Workload.Reads.NEAR_MINUTES, longest);
                    sum += draws[i];
                }
            }
            double excess = sum - farCount * Workload.Reads.NEAR_MINUTES;
            double shrink = sum <= room ? 1 : (room - farCount * Workload.Reads.NEAR_MINUTES) / excess;
            if (shrink < 0) {
                throw new IllegalArgumentException(
                        "reads: %d reads of one block with these intervals do not fit into the trace".formatted(heat));
            }
            double[] offsets = new double[heat];
            int n = 0;
            for (int i = 1; i < heat; i++) {
                double minutes = isNear[i]
                        ? near.get(n++)
                        : Workload.Reads.NEAR_MINUTES + (draws[i] - Workload.Reads.NEAR_MINUTES) * shrink;
                offsets[i] = offsets[i - 1] + minutes * MINUTE;
            }
            return offsets;
        }

        private double longest(int farCount, double room) {
            double longest = reads.repeatToMin();
            while (longest > Workload.Reads.NEAR_MINUTES * 1.1
                    && farCount * TraceModel.logMean(Workload.Reads.NEAR_MINUTES, longest) > room) {
                longest *= 0.95;
            }
            return longest;
        }
    }
}
