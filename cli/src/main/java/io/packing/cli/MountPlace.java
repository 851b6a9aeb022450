// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.fuse.mount.OwnDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a mount's lifetime, and for its server's state directory. */
final class MountPlace {
    private static final List<String> HEAP = List.of("-Xmx512m");

    @Option(names = "--daemon", description = "Return when the file system answers; umount DIR ends it.")
    private boolean daemon;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "A local directory of this mount alone, for what is written and not closed; by default one below"
                            + " the directory of temporary files.")
    private @Nullable Path state;

    /** Returns what is mounted at a directory. */
    MountSpec spec(Path directory, String source, boolean readOnly, MountAccessOptions access) throws IOException {
        return new MountSpec(directory, state(directory), source, readOnly, access, daemon);
    }

    private Path state(Path directory) throws IOException {
        if (state != null) {
            return OwnDirectory.ofState(state.toAbsolutePath().normalize());
        }
        byte[] of = directory.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8);
        return OwnDirectory.ofState(
                Path.of(System.getProperty("java.io.tmpdir"), "packing-mount-" + UUID.nameUUIDFromBytes(of)));
    }

    /** Returns the JVM options of the process that serves the mount. */
    List<String> jvmOptions(MountSpec spec) {
        return jvmOptions(spec, HEAP, List.of());
    }

    /**
     * Returns the JVM options of a process that adds its own.
     *
     * @param heap unless the user says how large the heap is
     * @param more that the user may override
     */
    List<String> jvmOptions(MountSpec spec, List<String> heap, List<String> more) {
        String users = System.getenv().getOrDefault("PACKING_JAVA_OPTS", "").strip();
        List<String> options = new ArrayList<>(users.contains("-Xmx") ? List.of() : heap);
        options.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-Dpacking.log=" + spec.state().resolve("server.log")));
        options.addAll(more);
        if (!users.isEmpty()) {
            options.addAll(List.of(users.split("\\s+")));
        }
        return options;
    }

    /** Announces the mount, then waits for its end, or leaves it to its keeper. Returns the exit code. */
    int keep(FuseMount mount, Runnable tell) throws InterruptedException {
        if (!daemon) {
            // A hook, because SIGTERM ends the JVM without leaving this method.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(mount), "unmount"));
        }
        tell.run();
        if (daemon) {
            return ExitCodes.OK;
        }
        return mount.await() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static void close(FuseMount mount) {
        try {
            mount.close();
        } catch (IOException e) {
            System.err.println("packing: not unmounted: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
