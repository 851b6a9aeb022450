// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A device of bytes for the clients of a server. Thread-safe: connections share it, so a flush for one of them covers
 * the answered writes of all. Callers give ranges that lie within the size. Its exceptions are an {@link NbdException}
 * where a client should see another error than EIO.
 */
public interface NbdDevice {
    /** Returns the bytes of the device; they do not change while it is served. */
    long size();

    /** Returns whether the device refuses changes. */
    boolean isReadOnly();

    /** Fills the buffer with the bytes from the offset on. */
    void read(long offset, ByteBuffer into) throws IOException;

    /** Takes all bytes of the buffer, which the caller may change afterwards. It waits while too many are not synced. */
    void write(long offset, ByteBuffer bytes) throws IOException;

    /** Makes a range a hole, which reads as zeros and takes no room. */
    void punch(long offset, long length) throws IOException;

    /**
     * Syncs all changes that returned before this call.
     *
     * @return a future that ends when they are durable, or fails with an {@link IOException}
     */
    CompletableFuture<Void> flush();

    /**
     * Returns neighbouring ranges from the offset on, each all data or all hole, and no two of a kind side by side.
     *
     * @param most ranges to return; they cover the length unless they would be more
     */
    List<DeviceRange> ranges(long offset, long length, int most) throws IOException;
}
