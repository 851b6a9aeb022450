// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.fuse.posix.server.PosixMount;
import io.packing.fuse.posix.server.PosixServerMain;
import io.packing.options.Parsers;
import io.packing.status.OpenFiles;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Mounts a directory of a packing mount for the kernel. */
@Command(
        name = "mount",
        description = {
            "Mounts a directory of a packing mount as a POSIX file system, by FUSE; needs root and /dev/fuse.",
            "Stays in the foreground until SIGTERM, and unmounts then. A server that dies is started again. Writes "
                    + "need a worker."
        })
final class MountCommand implements Callable<Integer> {
    private static final String READ_ONLY_VALID = "1h";
    private static final String READ_WRITE_VALID = "1s";

    @Parameters(
            index = "0",
            paramLabel = "PATH",
            description = "A directory of the mount, or " + MountUri.FORM + ", which names the mount, too.")
    private String source = "";

    @Parameters(index = "1", paramLabel = "DIR", description = "The directory to mount it on.")
    private Path directory = Path.of("");

    @Option(names = "--read-only", description = "Refuse changes, and trust what is known of the files for an hour.")
    private boolean readOnly;

    @Option(
            names = "--valid",
            paramLabel = "DURATION",
            description = "For how long names and attributes need not be asked for again: " + READ_WRITE_VALID + ", or "
                    + READ_ONLY_VALID + " with --read-only. Others may change them meanwhile.")
    private Optional<String> valid = Optional.empty();

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description =
                    "Record what the kernel asks for as a trace, in a file that is not there yet; packing trace reads it."
                            + " What the kernel answers from memory is not in it.")
    private Optional<Path> trace = Optional.empty();

    @Option(
            names = "--write-behind",
            description =
                    "Answer the close of a small new file before the file is safe, and a removal before the file is deleted, which"
                            + " makes many of them faster. An fsync waits; others see both soon after.")
    private boolean writeBehind;

    @Option(
            names = "--suid",
            description =
                    "Let set-user-ID and set-group-ID bits and capabilities of files count. Without TLS each client that"
                            + " reaches the master is root here then.")
    private boolean suid;

    @Option(
            names = "--dev",
            description =
                    "Let devices be opened. Without TLS each client that reaches the master reads the disks of this"
                            + " machine then.")
    private boolean devices;

    @Option(
            names = "--map-user",
            paramLabel = "NAME=UID",
            description = "Show files of NAME, which may be empty, a number or root, as those of the user UID, and the"
                    + " other way round. Repeat it for more.")
    private List<String> users = List.of();

    @Option(names = "--map-group", paramLabel = "NAME=GID", description = "The same for groups.")
    private List<String> groups = List.of();

    @Mixin
    private MountPlace place = new MountPlace();

    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    /** The started mount, as a script reads it. */
    record Started(String uri, String directory, String state, long keeper) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        FilePath path = path();
        String uri = new MountUri(target.name(), path).toString();
        Map<String, String> raw = target.options();
        // Whatever is wrong with them is said here, not in the log of a server.
        MountOptions unused = MountOptions.from(raw);
        // The server has the limit of this process.
        OpenFiles.check("the server of " + uri, report.err()::println);
        Duration validFor = Parsers.duration(valid.orElse(readOnly ? READ_ONLY_VALID : READ_WRITE_VALID));
        OwnerMap owners = OwnerMap.of(users, groups);
        MountSpec spec = place.spec(directory, uri, readOnly, MountAccessOptions.FILES.with(suid, devices));
        FuseMount mount = new PosixMount(target.masters(), path, raw, validFor, spec, jvmOptions(spec), owners).start();
        return place.keep(mount, () -> {
            Started started =
                    new Started(uri, spec.directory().toString(), spec.state().toString(), mount.keeper());
            report.print(started, out -> out.printf("%s is at %s%n", started.uri(), started.directory()));
        });
    }

    private List<String> jvmOptions(MountSpec spec) {
        List<String> options = new ArrayList<>(place.jvmOptions(spec));
        if (trace.isPresent()) {
            if (Files.exists(trace.get())) {
                throw new IllegalArgumentException(trace.get() + " is there already; name another file");
            }
            options.add("-D" + PosixServerMain.TRACE + "=" + trace.get().toAbsolutePath());
        }
        if (writeBehind) {
            options.add("-D" + PosixServerMain.WRITE_BEHIND + "=true");
        }
        return options;
    }

    private FilePath path() throws IOException {
        FilePath path = target.path(source);
        path.whyNotForUsers().ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
        return path;
    }
}
