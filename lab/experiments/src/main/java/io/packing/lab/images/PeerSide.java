// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.s3server.S3ServerMetrics;
import java.io.IOException;
import java.net.URI;
import java.util.List;

/** docker-registry with its S3 driver. */
final class PeerSide implements RegistrySide {
    private final Workspace workspace;
    private final S3Process s3;

    private PeerSide(Workspace workspace, S3Process s3) {
        this.workspace = workspace;
        this.s3 = s3;
    }

    static PeerSide open(String name) throws IOException, InterruptedException {
        Workspace workspace = Workspace.create(name);
        try {
            return new PeerSide(workspace, S3Process.start(workspace, S3Process.Limits.NONE));
        } catch (IOException | InterruptedException | RuntimeException e) {
            workspace.close();
            throw e;
        }
    }

    @Override
    public Running start(List<String> flags) throws IOException, InterruptedException {
        PeerRegistry registry = PeerRegistry.start(workspace.directory(), s3);
        return new Running() {
            @Override
            public URI uri() {
                return registry.uri();
            }

            @Override
            public void settle() {
                // It keeps what it gets.
            }

            @Override
            public void close() throws InterruptedException {
                registry.close();
            }
        };
    }

    @Override
    public void flush() {
        // A push is in the store when it is answered.
    }

    @Override
    public long storedBytes() throws IOException {
        return HostPrograms.bytesBelow(s3.objects());
    }

    @Override
    public S3ServerMetrics.Counts requests() throws IOException, InterruptedException {
        return s3.metrics().prefix(PeerRegistry.PREFIX);
    }

    @Override
    public void close() throws IOException {
        workspace.close();
    }
}
