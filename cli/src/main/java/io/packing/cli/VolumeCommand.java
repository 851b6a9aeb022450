// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.volumes.VolumeFiles;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Volumes: files of a mount that are block devices. */
@Command(
        name = "volume",
        subcommands = VolumeServeCommand.class,
        description = {
            "Makes volumes, and serves them as block devices over NBD. A volume is a file of a mount.",
            "Snapshots and clones are files that share its bytes. They have what clients had flushed."
        })
final class VolumeCommand {
    private static final String VOLUME = "A volume of the mount, or " + MountUri.FORM + ".";
    private static final String SIZE = "Its size, a multiple of 512 bytes, such as 1G.";

    /** A volume that a command has made or changed, as printed. */
    record Done(String path, double milliseconds) {}

    /** A volume in numbers, as printed. */
    record Statistics(
            String path,
            long size,
            long storedBytes,
            long pieces,
            long contents,
            long bufferedBytes,
            boolean readOnly,
            List<String> snapshots) {
        static Statistics of(VolumeFiles.Statistics found) {
            return new Statistics(
                    found.status().path().value(),
                    found.status().attributes().length(),
                    found.storedBytes(),
                    found.pieces(),
                    found.contents(),
                    found.bufferedBytes(),
                    found.isReadOnly(),
                    found.snapshots().stream().map(FilePath::value).toList());
        }
    }

    /** An operation on a volume; it returns the path of the file that it has made or changed. */
    private interface Use {
        FilePath of(VolumeFiles volumes) throws IOException;
    }

    @Command(name = "create", description = "Makes a volume that is one hole: only written blocks take room.")
    int create(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Option(
                            names = "--size",
                            paramLabel = "SIZE",
                            required = true,
                            converter = ByteSize.class,
                            description = SIZE)
                    Long size,
            @Parameters(paramLabel = "PATH", description = "The path of the new volume, or " + MountUri.FORM + ".")
                    String path)
            throws IOException {
        FilePath volume = target.path(path);
        return change(target, report, volumes -> {
            volumes.create(volume, size);
            return volume;
        });
    }

    @Command(
            name = "snapshot",
            description =
                    "Makes a read-only volume PATH@NAME with the bytes that the volume has now. No byte is copied.")
    int snapshot(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Parameters(index = "0", paramLabel = "PATH", description = VOLUME) String path,
            @Parameters(index = "1", paramLabel = "NAME", description = "The name of the snapshot.") String name)
            throws IOException {
        FilePath volume = target.path(path);
        return change(target, report, volumes -> volumes.snapshot(volume, name));
    }

    @Command(
            name = "clone",
            description = "Makes a volume with the bytes of a volume or of a snapshot. No byte is copied.")
    int clone(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Parameters(index = "0", paramLabel = "SOURCE", description = VOLUME) String source,
            @Parameters(index = "1", paramLabel = "PATH", description = "The path of the new volume.")
                    String destination)
            throws IOException {
        FilePath from = target.path(source);
        FilePath to = target.path(destination);
        return change(target, report, volumes -> {
            volumes.clone(from, to);
            return to;
        });
    }

    @Command(name = "resize", description = "Changes the size of a volume that no server has open for writing.")
    int resize(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Option(
                            names = "--size",
                            paramLabel = "SIZE",
                            required = true,
                            converter = ByteSize.class,
                            description = SIZE)
                    Long size,
            @Option(names = "--shrink", description = "Allow a smaller size: the bytes behind it are lost.")
                    boolean shrink,
            @Parameters(paramLabel = "PATH", description = VOLUME) String path)
            throws IOException {
        FilePath volume = target.path(path);
        return change(target, report, volumes -> {
            volumes.resize(volume, size, shrink);
            return volume;
        });
    }

    @Command(name = "stats", description = "Counts the bytes, pieces and snapshots of a volume.")
    int stats(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Parameters(paramLabel = "PATH", description = VOLUME) String path)
            throws IOException {
        FilePath volume = target.path(path);
        Statistics found;
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            found = Statistics.of(new VolumeFiles(bdt).statistics(volume));
        }
        report.print(found, out -> {
            out.printf(
                    "%s: %,d bytes, %,d stored in %,d pieces of %,d contents%n",
                    found.path(), found.size(), found.storedBytes(), found.pieces(), found.contents());
            out.printf(
                    "%,d bytes are in no blob yet%s%n", found.bufferedBytes(), found.readOnly() ? "; read-only" : "");
            found.snapshots().forEach(snapshot -> out.println("snapshot " + snapshot));
        });
        return ExitCodes.OK;
    }

    private static int change(MasterTarget target, Report report, Use use) throws IOException {
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            long start = System.nanoTime();
            String path = use.of(new VolumeFiles(bdt)).value();
            Done done = new Done(path, (System.nanoTime() - start) / 1e6);
            report.print(done, out -> out.printf("%s, in %.1f ms%n", done.path(), done.milliseconds()));
        }
        return ExitCodes.OK;
    }
}
