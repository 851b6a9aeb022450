// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/**
 * The two directions of a connection. The input has no buffer: what a client sends before a TLS handshake must not count
 * as sent within it.
 */
record ClientStreams(Socket socket, DataInputStream in, DataOutputStream out) {
    private static final int BUFFER = 64 << 10;

    static ClientStreams of(Socket socket) throws IOException {
        return new ClientStreams(
                socket,
                new DataInputStream(socket.getInputStream()),
                new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER)));
    }
}
