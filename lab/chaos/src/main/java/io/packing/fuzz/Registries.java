// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.registry.RegistryOptions;
import io.packing.registry.RegistryServer;
import io.packing.registry.access.Access;
import io.packing.registry.access.BasicAccess;
import io.packing.registry.access.Passwords;
import io.packing.registry.access.Rights;
import io.packing.registry.files.MountFiles;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.net.URI;
import java.util.List;

/** Two registries over a mount: an open one, and one without users. */
final class Registries implements AutoCloseable {
    private static final long READ_AHEAD_BYTES = 8 << 20;

    private final RegistryServer open;
    private final RegistryServer closed;

    Registries(PackingFileSystem mount, MountOptions options) throws IOException {
        MountFiles files = new MountFiles(mount, options);
        this.open = start("/open", files, Access.OPEN);
        this.closed = start("/closed", files, new BasicAccess(Passwords.parse(List.of()), Rights.parse(List.of())));
    }

    private static RegistryServer start(String base, MountFiles files, Access access) throws IOException {
        return RegistryServer.start(
                RegistryOptions.local(new FilePath(base)).withReadAhead(READ_AHEAD_BYTES),
                files,
                access,
                new SimpleMeterRegistry());
    }

    URI open() {
        return open.uri();
    }

    URI closed() {
        return closed.uri();
    }

    @Override
    public void close() throws IOException {
        open.close();
        closed.close();
    }
}
