// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.ParentWatch;
import java.io.IOException;
import java.time.Clock;

/** The process that serves an {@link InMemoryFiles}. */
public final class InMemoryServer {
    private InMemoryServer() {}

    /** Serves the device on standard input. */
    public static void main(String[] args) throws IOException, InterruptedException {
        FuseOptions settings = new FuseOptions(false, 1, 1 << 20, 4);
        FuseSession session = new FuseSession(new InMemoryFiles(Clock.systemUTC()), settings);
        FuseServer server = FuseServer.onStandardInput(session, settings);
        ParentWatch.onExit(() -> Runtime.getRuntime().halt(3));
        if (server.begin()) {
            server.start();
            System.out.println(FuseMount.SERVING);
            server.await();
        }
        System.exit(0);
    }
}
