// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

/**
 * The agreement of a client and the server about a connection.
 *
 * @param structured true if replies come in chunks
 * @param allocation true if the client may ask which ranges are holes
 */
record NbdSession(ClientStreams streams, NbdDevice device, boolean structured, boolean allocation) {
    /** Returns the flags of a device, as the handshake tells them. */
    static int flags(NbdDevice device, boolean structured) {
        int flags = NbdNumbers.FLAG_HAS_FLAGS
                | NbdNumbers.FLAG_SEND_FLUSH
                | NbdNumbers.FLAG_SEND_FUA
                | NbdNumbers.FLAG_CAN_MULTI_CONN
                | NbdNumbers.FLAG_SEND_CACHE;
        flags |= device.isReadOnly()
                ? NbdNumbers.FLAG_READ_ONLY
                : NbdNumbers.FLAG_SEND_TRIM | NbdNumbers.FLAG_SEND_WRITE_ZEROES | NbdNumbers.FLAG_SEND_FAST_ZERO;
        return structured ? flags | NbdNumbers.FLAG_SEND_DF : flags;
    }
}
