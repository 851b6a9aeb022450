// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.blob.FilePath;
import io.packing.nbd.NbdServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** A volume of a mount with its server, as the command has them. */
final class ServedVolume implements AutoCloseable {
    private final ExecutorService background = Executors.newSingleThreadExecutor();
    private final Volume volume;
    private final NbdServer server;

    ServedVolume(TestMount mount, FilePath path, Optional<SSLContext> tls) throws IOException {
        volume = Volume.open(mount.mount(), path, false, VolumeMemory.USUAL, background);
        server = NbdServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new VolumeExport(path, volume), tls);
    }

    int port() {
        return server.port();
    }

    String uri() {
        return "nbd://127.0.0.1:" + port();
    }

    @Override
    public void close() throws IOException {
        try (volume) {
            server.close();
        } finally {
            background.shutdown();
        }
    }
}
