// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.bpf;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The reading end of a ring that the kernel's programs fill. The kernel keeps records in the order in which the programs
 * gave them, on all processors. Confined to one thread.
 */
final class RecordRing implements AutoCloseable {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTEGERS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** The bytes of a page, which positions and data begin at. */
    private static final int PAGE = 4096;
    // Head of a record: 0:4 length, with two flags  4:8 page, for the kernel  8: the record
    private static final int HEAD = 8;
    private static final int BUSY = 1 << 31;
    private static final int DISCARDED = 1 << 30;

    private final BpfKernel kernel;
    private final ByteBuffer consumed;
    private final ByteBuffer produced;
    private final int mask;
    private long position;

    /** @param size of the ring's data, a power of two */
    RecordRing(BpfKernel kernel, int descriptor, int size) throws IOException {
        this.kernel = kernel;
        this.mask = size - 1;
        this.consumed = kernel.mapMemory(descriptor, 0, PAGE, true);
        // The kernel maps the data twice, one behind the other, so that no record is cut.
        this.produced = kernel.mapMemory(descriptor, PAGE, PAGE + 2L * size, false);
    }

    /**
     * Takes the next record; empty if there is none yet.
     *
     * @return bytes that stay as they are until {@link #release}
     */
    Optional<ByteBuffer> next() {
        while (position < (long) LONGS.getAcquire(produced, 0)) {
            int at = PAGE + (int) (position & mask);
            int head = (int) INTEGERS.getAcquire(produced, at);
            if ((head & BUSY) != 0) {
                return Optional.empty();
            }
            int length = head & ~DISCARDED;
            position += (length + HEAD + 7) / 8 * 8L;
            if ((head & DISCARDED) == 0) {
                return Optional.of(produced.slice(at + HEAD, length).order(ByteOrder.nativeOrder()));
            }
        }
        return Optional.empty();
    }

    /** Returns the bytes that wait. */
    long waiting() {
        return (long) LONGS.getAcquire(produced, 0) - position;
    }

    /** Gives the space of the records that were taken back to the kernel. */
    void release() {
        LONGS.setRelease(consumed, 0, position);
    }

    @Override
    public void close() {
        kernel.unmap(consumed);
        kernel.unmap(produced);
    }
}
