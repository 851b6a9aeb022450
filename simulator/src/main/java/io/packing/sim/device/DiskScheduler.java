// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.device;

import io.packing.sim.BrokenInvariantException;
import io.packing.sim.Cause;
import io.packing.sim.tier.LongIntMap;
import java.util.Arrays;

/**
 * The queue of one device (§3.2.2): round robin between files with a slice of 1 MB, C-SCAN between the requests of one
 * file.
 *
 * <p>The device works up to an instant only when a request of a later instant comes, so all requests of one instant
 * compete. A request longer than the rest of the slice is served in parts.
 *
 * <p>A disk moves blocks of 4 KB, and the scheduler counts these: Table 3.1 has 65,800 requests of user reads a minute
 * for some 260 MB. A request for several neighbouring blocks stands for that many, which come at once and are served in
 * a row.
 */
public final class DiskScheduler {
    private static final int NONE = -1;

    private final Device device;
    private final long sliceBytes;
    private final int blockBytes;
    private final int limit;
    private final Completion completion;
    private final LongIntMap queues = new LongIntMap(64);

    // Requests: a list for each file, in the order of their offsets.
    private int[] next = {};
    private int[] previous = {};
    private long[] offsets = {};
    private long[] lengths = {};
    private long[] blocks = {};
    private long[] blockNanos = {};
    private long[] arrivals = {};
    private long[] busy = {};
    private int[] tickets = {};
    private byte[] kinds = {};
    private int freeRequest = NONE;

    // Files that have requests: a ring.
    private int[] files = {};
    private int[] first = {};
    private int[] last = {};
    private int[] scan = {};
    private int[] after = {};
    private int[] before = {};
    private int freeQueue = NONE;

    private int current = NONE;
    private long sliceUsed;
    private long[] heads = {};
    private int lastFile = NONE;
    private long lastEnd;
    private int pending;
    private long readyAt;
    private long now;
    private long submitted;
    private long finished;
    private long busyNanos;
    private int longest;

    /**
     * @param blockBytes least bytes that the device moves
     * @param limit requests that may wait; more means that the device is overloaded for good
     */
    public DiskScheduler(Device device, long sliceBytes, int blockBytes, int limit, Completion completion) {
        if (sliceBytes < 1 || blockBytes < 1 || limit < 1) {
            throw new IllegalArgumentException(
                    "bad slice of %d bytes, blocks of %d or limit of %d".formatted(sliceBytes, blockBytes, limit));
        }
        this.device = device;
        this.sliceBytes = sliceBytes;
        this.blockBytes = blockBytes;
        this.limit = limit;
        this.completion = completion;
    }

    /**
     * Queues a request.
     *
     * @throws OverloadedException if more requests wait than the limit allows
     */
    public void submit(long time, int file, long offset, long length, boolean write, Cause cause, int ticket) {
        advance(time);
        if (pending == limit) {
            throw new OverloadedException(limit, time);
        }
        if (pending == 0) {
            readyAt = Math.max(readyAt, time);
        }
        int queue = queues.get(file);
        if (queue == LongIntMap.ABSENT) {
            queue = join(file);
        }
        if (freeRequest == NONE) {
            growRequests();
        }
        int request = freeRequest;
        freeRequest = next[request];
        offsets[request] = offset;
        lengths[request] = length;
        blocks[request] = 0;
        blockNanos[request] = 0;
        arrivals[request] = time;
        busy[request] = 0;
        tickets[request] = ticket;
        kinds[request] = (byte) (cause.index() * 2 + (write ? 1 : 0));
        link(queue, request);
        pending++;
        submitted++;
        longest = Math.max(longest, pending);
    }

    /** Starts all transfers that start before {@code time}. */
    public void advance(long time) {
        if (time < now) {
            throw new BrokenInvariantException("virtual time goes back from %d to %d ns".formatted(now, time));
        }
        now = time;
        while (pending > 0 && readyAt < time) {
            dispatch();
        }
    }

    /** Works until the queue is empty; returns the time of that. */
    public long drain() {
        while (pending > 0) {
            dispatch();
        }
        BrokenInvariantException.same("requests submitted and finished", submitted, finished);
        return readyAt;
    }

    public int pending() {
        return pending;
    }

    public int longestQueue() {
        return longest;
    }

    public long finished() {
        return finished;
    }

    /** Returns the nanoseconds during which the device worked. */
    public long busyNanos() {
        return busyNanos;
    }

    private void dispatch() {
        if (sliceUsed >= sliceBytes) {
            current = after[current];
            sliceUsed = 0;
        }
        int queue = current;
        int request = scan[queue] == NONE ? first[queue] : scan[queue];
        long length = Math.min(lengths[request], sliceBytes - sliceUsed);
        boolean write = (kinds[request] & 1) != 0;
        long nanos = device.occupy(files[queue], offsets[request], length, write);
        readyAt += nanos;
        busyNanos += nanos;
        busy[request] += nanos;
        sliceUsed += length;
        offsets[request] += length;
        lengths[request] -= length;
        countBlocks(request, length, write);
        heads[queue] = offsets[request];
        lastFile = files[queue];
        lastEnd = offsets[request];
        scan[queue] = request;
        if (lengths[request] == 0) {
            finish(queue, request, write);
        }
    }

    /** Counts the blocks whose last byte is among the {@code length} bytes read or written by {@link #readyAt}. */
    private void countBlocks(int request, long length, boolean write) {
        long to = offsets[request];
        long whole = to / blockBytes - (to - length) / blockBytes;
        long after = to % blockBytes;
        // The blocks ended this many bytes before "to", summed over the blocks.
        long behind = whole * after + blockBytes * (whole * (whole - 1) / 2);
        long ended = whole + (lengths[request] == 0 && after > 0 ? 1 : 0);
        blocks[request] += ended;
        blockNanos[request] += ended * (readyAt - arrivals[request]) - Math.round(behind * device.nanosPerByte(write));
    }

    private void finish(int queue, int request, boolean write) {
        scan[queue] = next[request];
        unlink(queue, request);
        pending--;
        finished++;
        next[request] = freeRequest;
        freeRequest = request;
        if (first[queue] == NONE) {
            leave(queue);
        }
        long delay = device.delay(write);
        completion.done(
                tickets[request],
                Cause.at(kinds[request] >> 1),
                write,
                blocks[request],
                blockNanos[request] + blocks[request] * delay,
                arrivals[request],
                readyAt + delay,
                busy[request] + delay);
    }

    /**
     * Inserts a request into the file's sorted list. The search begins at its end, since most requests come in order.
     */
    private void link(int queue, int request) {
        long offset = offsets[request];
        int left = last[queue];
        while (left != NONE && offsets[left] > offset) {
            left = previous[left];
        }
        int right = left == NONE ? first[queue] : next[left];
        previous[request] = left;
        next[request] = right;
        if (left == NONE) {
            first[queue] = request;
        } else {
            next[left] = request;
        }
        if (right == NONE) {
            last[queue] = request;
        } else {
            previous[right] = request;
        }
        // C-SCAN goes up from the head, and then begins at the lowest offset: the next request is the first one not
        // below the head.
        if (offset >= heads[queue] && right == scan[queue]) {
            scan[queue] = request;
        }
    }

    private void unlink(int queue, int request) {
        if (previous[request] == NONE) {
            first[queue] = next[request];
        } else {
            next[previous[request]] = next[request];
        }
        if (next[request] == NONE) {
            last[queue] = previous[request];
        } else {
            previous[next[request]] = previous[request];
        }
    }

    /** Adds the file to the ring, as the last one to get a turn. */
    private int join(int file) {
        if (freeQueue == NONE) {
            growQueues();
        }
        int queue = freeQueue;
        freeQueue = after[queue];
        files[queue] = file;
        first[queue] = NONE;
        last[queue] = NONE;
        scan[queue] = NONE;
        // The file that was served last has left the head in its range, although its queue was empty for a while.
        heads[queue] = file == lastFile ? lastEnd : 0;
        queues.put(file, queue);
        if (current == NONE) {
            after[queue] = queue;
            before[queue] = queue;
            current = queue;
            sliceUsed = 0;
        } else {
            after[queue] = current;
            before[queue] = before[current];
            after[before[current]] = queue;
            before[current] = queue;
        }
        return queue;
    }

    private void leave(int queue) {
        queues.remove(files[queue]);
        if (after[queue] == queue) {
            current = NONE;
        } else {
            after[before[queue]] = after[queue];
            before[after[queue]] = before[queue];
            if (current == queue) {
                current = after[queue];
                sliceUsed = 0;
            }
        }
        after[queue] = freeQueue;
        freeQueue = queue;
    }

    private void growRequests() {
        int size = next.length;
        int more = Math.max(64, size * 2);
        next = Arrays.copyOf(next, more);
        previous = Arrays.copyOf(previous, more);
        offsets = Arrays.copyOf(offsets, more);
        lengths = Arrays.copyOf(lengths, more);
        blocks = Arrays.copyOf(blocks, more);
        blockNanos = Arrays.copyOf(blockNanos, more);
        arrivals = Arrays.copyOf(arrivals, more);
        busy = Arrays.copyOf(busy, more);
        tickets = Arrays.copyOf(tickets, more);
        kinds = Arrays.copyOf(kinds, more);
        for (int i = size; i < more; i++) {
            next[i] = freeRequest;
            freeRequest = i;
        }
    }

    private void growQueues() {
        int size = files.length;
        int more = Math.max(16, size * 2);
        files = Arrays.copyOf(files, more);
        first = Arrays.copyOf(first, more);
        last = Arrays.copyOf(last, more);
        scan = Arrays.copyOf(scan, more);
        heads = Arrays.copyOf(heads, more);
        after = Arrays.copyOf(after, more);
        before = Arrays.copyOf(before, more);
        for (int i = size; i < more; i++) {
            after[i] = freeQueue;
            freeQueue = i;
        }
    }
}
