// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The source of requests, and the target of answers. One thread reads; answers come from any. */
interface FuseDevice extends Closeable {
    /** Waits for one request; false: the mount is gone. */
    boolean read(ByteBuffer into) throws IOException;

    /** Returns whether another read makes sense after one that failed. */
    boolean isUsable();

    /** Hands over one answer. */
    void write(ByteBuffer answer) throws IOException;

    @Override
    void close();
}
