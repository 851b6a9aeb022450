// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** A client of NBD that keeps a number of synced writes under way. It knows nothing of our server. */
final class NbdWriter implements Closeable {
    private static final long OPTION_MAGIC = 0x49484156454f5054L;
    private static final int BOTH_FLAGS = 3;
    private static final int EXPORT_NAME = 1;
    private static final int REQUEST_MAGIC = 0x25609513;
    private static final int REPLY_MAGIC = 0x67446698;
    private static final int FUA = 1;
    private static final int WRITE = 1;
    private static final int GREETING_BYTES = 18;

    /** A source of the offsets of writes. */
    interface Places {
        long next();
    }

    /** An observer of the ends of writes. */
    interface Ends {
        void ended(int count);
    }

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    /** Connects to the default device of a server. */
    NbdWriter(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
        in.skipNBytes(GREETING_BYTES);
        out.writeInt(BOTH_FLAGS);
        out.writeLong(OPTION_MAGIC);
        out.writeInt(EXPORT_NAME);
        out.writeInt(0);
        out.flush();
        // Size and flags of the device.
        in.skipNBytes(Long.BYTES + Short.BYTES);
    }

    /** Writes so many times, each write synced, with so many under way. */
    void write(int count, int depth, Places places, byte[] bytes, Ends ends) throws IOException {
        int sent = 0;
        for (int ended = 0; ended < count; ended++) {
            while (sent < count && sent - ended < depth) {
                out.writeInt(REQUEST_MAGIC);
                out.writeShort(FUA);
                out.writeShort(WRITE);
                out.writeLong(sent);
                out.writeLong(places.next());
                out.writeInt(bytes.length);
                out.write(bytes);
                sent++;
            }
            out.flush();
            int magic = in.readInt();
            int error = in.readInt();
            in.skipNBytes(Long.BYTES);
            if (magic != REPLY_MAGIC || error != 0) {
                throw new IOException("reply %08x with error %d".formatted(magic, error));
            }
            ends.ended(ended + 1);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
