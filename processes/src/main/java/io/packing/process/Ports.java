package io.packing.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Free loopback ports. */
public final class Ports {
    private Ports() {}

    /** {@code count} different ports that nobody listens on now. */
    public static List<Integer> free(int count) throws IOException {
        var sockets = new ArrayList<ServerSocket>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }
}
