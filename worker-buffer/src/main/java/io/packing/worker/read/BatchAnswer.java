// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import java.nio.ByteBuffer;

/** The answer for one path of a batch of small files. */
public sealed interface BatchAnswer {
    /** All bytes of the file. */
    record Whole(ByteBuffer bytes) implements BatchAnswer {}

    /** The path has no entry. */
    record Absent() implements BatchAnswer {}

    /** The path has a directory. */
    record Directory() implements BatchAnswer {}

    /**
     * The user may not read the file.
     *
     * @param why in words for the user
     */
    record Denied(String why) implements BatchAnswer {}

    /** The client opens the file by itself: it is too large for a batch, or its bytes could not be read here. */
    record Apart() implements BatchAnswer {}

    /**
     * Another worker buffers the file.
     *
     * @param address of that worker
     */
    record BufferedElsewhere(String address) implements BatchAnswer {}
}
