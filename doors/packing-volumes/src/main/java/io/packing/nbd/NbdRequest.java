// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import java.io.DataInputStream;
import java.io.IOException;

/**
 * A request of a client, without its payload.
 *
 * @param cookie the client's number of the request, which its reply repeats
 * @param offset an unsigned number
 * @param length an unsigned number of 32 bits
 */
record NbdRequest(int flags, int type, long cookie, long offset, long length) {
    /** Reads a request; the stream is not at its end. */
    static NbdRequest read(DataInputStream in) throws IOException {
        int magic = in.readInt();
        if (magic != NbdNumbers.REQUEST_MAGIC) {
            // The next request cannot be found any more.
            throw new IOException("%08x where a request begins".formatted(magic));
        }
        return new NbdRequest(
                in.readUnsignedShort(),
                in.readUnsignedShort(),
                in.readLong(),
                in.readLong(),
                Integer.toUnsignedLong(in.readInt()));
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Returns whether all bytes are within a device. */
    boolean isWithin(long size) {
        return offset >= 0 && length <= size && offset <= size - length;
    }
}
