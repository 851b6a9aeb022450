// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory of streams that is used again. Large arrays that are made anew are filled with zeros, and touched for the first time, for every few
 * megabytes that a client pulls. Thread-safe.
 */
final class SpareMemory {
    private static final int SMALLEST = 1 << 20;
    /** More than that is left to the garbage collector. */
    private static final long MOST_KEPT = 64L << 20;

    private final int largest;
    private final AtomicLong kept = new AtomicLong();
    /** By size: the smallest one first, each twice as large as the one before. */
    private final List<Queue<ByteBuffer>> spare = new ArrayList<>();

    /** @param largest that is ever wanted, a power of two */
    SpareMemory(int largest) {
        this.largest = largest;
        for (int size = 0; size <= size(largest); size++) {
            spare.add(new ConcurrentLinkedQueue<>());
        }
    }

    private static int size(int count) {
        return count <= SMALLEST ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros((count - 1) / SMALLEST);
    }

    /** Returns the bytes of memory that a buffer of so many bytes takes. */
    static int memory(int count) {
        return SMALLEST << size(count);
    }

    /** Takes a buffer over an array; its limit is so many bytes. */
    ByteBuffer take(int count) {
        if (count > largest) {
            throw new IllegalArgumentException("%d bytes of at most %d".formatted(count, largest));
        }
        int size = size(count);
        Optional<ByteBuffer> found = Optional.ofNullable(spare.get(size).poll());
        found.ifPresent(each -> kept.addAndGet(-each.capacity()));
        return found.orElseGet(() -> ByteBuffer.allocate(memory(count))).clear().limit(count);
    }

    /** Takes back memory that is in use no more. */
    void give(ByteBuffer taken) {
        if (kept.addAndGet(taken.capacity()) > MOST_KEPT) {
            kept.addAndGet(-taken.capacity());
            return;
        }
        spare.get(size(taken.capacity())).add(taken);
    }
}
