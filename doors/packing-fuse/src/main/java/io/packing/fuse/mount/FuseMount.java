// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.mount;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A mount with the keeper and the server that serve it. The server's process has the device as its standard input, and prints
 * {@value #SERVING} when it serves. Needs the right to mount, {@code sh}, {@code setsid}, {@code flock},
 * {@code mount} and {@code umount}.
 */
public final class FuseMount implements AutoCloseable {
    /** The line that a server prints. */
    public static final String SERVING = "serving";
    /** In the state directory: the errors of keeper and server. */
    public static final String LOG_FILE = "keeper.log";

    /** In the state directory: the lock that the keeper and its server hold. */
    static final String LOCK_FILE = "keeper.lock";

    /** In the state directory: the server can be replaced by another one that goes on. */
    public static final String RESUMABLE = "resumable";

    /** In the state directory: the server has begun, so that it is worth while to start another one. */
    public static final String SERVED = "served";

    private static final Path DEVICE = Path.of("/dev/fuse");
    private static final int SHOWN_LINES = 20;
    /** For how long a server that is asked to stop may publish before it is killed. */
    private static final int STOP_SECONDS = 60;

    private final MountSpec spec;
    private final Process keeper;

    private FuseMount(MountSpec spec, Process keeper) {
        this.spec = spec;
        this.keeper = keeper;
    }

    /** Returns whether this machine can mount. */
    public static boolean isPossible() {
        return Files.isWritable(DEVICE);
    }

    /**
     * Mounts, and returns when the file system answers.
     *
     * @param server the command of the server's process
     * @param environment of the server, beside that of this process
     */
    public static FuseMount start(MountSpec spec, List<String> server, Map<String, String> environment)
            throws IOException, InterruptedException {
        if (!isPossible()) {
            throw new IOException("%s cannot be opened: load the fuse module, and mount as root".formatted(DEVICE));
        }
        if (spec.access().hidden()) {
            OwnDirectory.hide(spec.directory());
        }
        if (!Files.isDirectory(spec.directory()) && !KernelMountTable.isDead(spec.directory())) {
            throw new IOException(spec.directory() + " is no directory: make it first");
        }
        if (KernelMountTable.typeAt(spec.directory())
                        .filter(type -> type.startsWith("fuse"))
                        .isPresent()
                && !KernelMountTable.isDead(spec.directory())) {
            throw new IOException(spec.directory() + " is mounted already: umount it first");
        }
        if (KernelMountTable.isDead(spec.directory())) {
            // The mount may be left from a server that was killed together with its keeper.
            KernelMountTable.unmount(spec.directory());
        }
        Path unused = OwnDirectory.ofState(spec.state());
        OwnDirectory.makeFile(log(spec));
        Process keeper = startKeeper(spec, server, environment);
        FuseMount mount = new FuseMount(spec, keeper);
        try {
            mount.awaitServing();
            return mount;
        } catch (IOException | RuntimeException e) {
            mount.close();
            throw e;
        }
    }

    private static Process startKeeper(MountSpec spec, List<String> server, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("setsid", "sh", "-c", script(), "packing-mount"));
        command.addAll(List.of(
                spec.directory().toString(),
                spec.options(),
                spec.source(),
                spec.state().toString(),
                spec.daemon() ? "daemon" : "foreground"));
        command.addAll(server);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.to(log(spec).toFile()));
        builder.environment().putAll(environment);
        if (spec.daemon()) {
            builder.redirectInput(Path.of("/dev/null").toFile());
        }
        return builder.start();
    }

    private static Path log(MountSpec spec) {
        return spec.state().resolve(LOG_FILE);
    }

    private static String script() throws IOException {
        try (InputStream in = FuseMount.class.getResourceAsStream("keeper.sh")) {
            if (in == null) {
                throw new IllegalStateException("keeper.sh is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void awaitServing() throws IOException, InterruptedException {
        // Not closed: a server that starts again prints as well, and must not fail at it.
        BufferedReader out = keeper.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.equals(SERVING)) {
                return;
            }
        }
        int code = keeper.waitFor();
        throw new IOException("%s was not mounted, exit code %d: %s".formatted(spec.directory(), code, said()));
    }

    private String said() throws IOException {
        List<String> lines = Files.readAllLines(log(spec), StandardCharsets.ISO_8859_1);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
    }

    /** Returns the keeper's process id. */
    public long keeper() {
        return keeper.pid();
    }

    public Path directory() {
        return spec.directory();
    }

    /** Waits until the mount has ended; the keeper's exit code. */
    public int await() throws InterruptedException {
        return keeper.waitFor();
    }

    /** Unmounts: the server publishes its drafts, then ends. Nothing is left mounted, also after an error. */
    @Override
    public void close() throws IOException, InterruptedException {
        try {
            keeper.destroy();
            if (!keeper.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                keeper.destroy();
                if (!keeper.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                    keeper.destroyForcibly();
                }
            }
        } finally {
            if (keeper.isAlive() || keeper.exitValue() != 0) {
                KernelMountTable.unmount(spec.directory());
            }
        }
    }
}
