package io.packing.cli;

import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountSpec;
import io.packing.options.Parsers;
import io.packing.posix.PosixMount;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Mounts a directory of a packing mount for the kernel. */
@Command(
        name = "mount",
        description = {
            "Mounts a directory of a packing mount as a POSIX file system, by FUSE; needs root and /dev/fuse.",
            "Stays in the foreground until SIGTERM, and unmounts then. A server that dies is started again. "
                    + "Writes need a running packing worker of the mount."
        })
final class MountCommand implements Callable<Integer> {
    private static final String READ_ONLY_VALID = "1h";
    private static final String READ_WRITE_VALID = "1s";

    @Parameters(
            index = "0",
            paramLabel = "URI",
            description = "packing://HOST:PORT/PATH, the BDT master and a directory of the mount.")
    private URI uri = URI.create("");

    @Parameters(index = "1", paramLabel = "DIR", description = "The directory to mount it on.")
    private Path directory = Path.of("");

    @Option(names = "--read-only", description = "Refuse changes, and trust what is known of the files for an hour.")
    private boolean readOnly;

    @Option(names = "--daemon", description = "Return when the file system answers; umount DIR ends it.")
    private boolean daemon;

    @Option(
            names = "--valid",
            paramLabel = "DURATION",
            description = "For how long names and attributes need not be asked for again: " + READ_WRITE_VALID + ", or "
                    + READ_ONLY_VALID + " with --read-only. Others may change them meanwhile.")
    private Optional<String> valid = Optional.empty();

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "A local directory of this mount alone, for what is written and not closed; by default one below"
                            + " the directory of temporary files.")
    private @Nullable Path state;

    @Mixin
    private MountTarget target = new MountTarget();

    @Mixin
    private Report report = new Report();

    /** What a script needs to know. */
    record Started(String uri, String directory, String state, long keeper) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, String> raw = target.resolve();
        // Whatever is wrong with them is said here, not in the log of a server.
        MountOptions unused = MountOptions.from(raw);
        FilePath path = path();
        Duration validFor = Parsers.duration(valid.orElse(readOnly ? READ_ONLY_VALID : READ_WRITE_VALID));
        MountSpec spec = new MountSpec(directory, state(), uri.toString(), readOnly, true, daemon);
        FuseMount mount =
                new PosixMount(uri.getAuthority(), path, raw, validFor, spec, jvmOptions(spec.state())).start();
        if (!daemon) {
            // A hook, because SIGTERM ends the JVM without leaving this method.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(mount), "unmount"));
        }
        Started started = new Started(
                uri.toString(), spec.directory().toString(), spec.state().toString(), mount.keeper());
        report.print(started, out -> out.printf("%s is at %s%n", started.uri(), started.directory()));
        if (daemon) {
            return ExitCodes.OK;
        }
        return mount.await() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private FilePath path() {
        if (!"packing".equals(uri.getScheme()) || uri.getAuthority() == null) {
            throw new IllegalArgumentException(
                    "'%s' is not packing://HOST:PORT/PATH, with the BDT master's address".formatted(uri));
        }
        FilePath path = FilePath.normalise(uri.getPath());
        path.whyNotForUsers().ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
        return path;
    }

    private Path state() throws IOException {
        if (state != null) {
            return Files.createDirectories(state);
        }
        byte[] of = directory.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8);
        Path made = Path.of(System.getProperty("java.io.tmpdir"), "packing-mount-" + UUID.nameUUIDFromBytes(of));
        if (!Files.isDirectory(made)) {
            Files.createDirectory(
                    made, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        if (!Files.getOwner(made).getName().equals(System.getProperty("user.name"))) {
            throw new IOException("%s is another user's; choose a directory with --state".formatted(made));
        }
        return made;
    }

    private static List<String> jvmOptions(Path state) {
        List<String> options = new ArrayList<>(List.of(
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-Dpacking.log=" + state.resolve("server.log")));
        String more = System.getenv().getOrDefault("PACKING_JAVA_OPTS", "").strip();
        if (!more.isEmpty()) {
            options.addAll(List.of(more.split("\\s+")));
        }
        return options;
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
