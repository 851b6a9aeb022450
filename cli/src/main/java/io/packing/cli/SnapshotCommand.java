package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Snapshots of a mount's directories. */
@Command(
        name = "snapshot",
        description = {
            "Keeps directories as they are at one moment, readable at DIRECTORY/.snapshot/NAME.",
            "A snapshot copies nothing. What it sees is kept when it changes, and given up when the snapshot is deleted."
        })
final class SnapshotCommand {
    private static final int PAGE = 1_000;

    /** A snapshot, as printed. */
    record Snapshot(String name, String path, String taken) {
        static Snapshot of(FileStatus status) {
            return new Snapshot(
                    status.path().name(),
                    status.path().value(),
                    Instant.ofEpochMilli(status.attributes().mtimeMillis()).toString());
        }
    }

    @Command(name = "create", description = "Takes a snapshot of a directory and all below it.")
    int create(
            @Mixin VectorTarget target,
            @Parameters(paramLabel = "DIRECTORY", description = "A directory of the mount.") String directory,
            @Parameters(paramLabel = "NAME", description = "Name of the snapshot.") String name)
            throws IOException {
        return target.apply(new Operation.TakeSnapshot(FilePath.normalise(directory), name));
    }

    @Command(name = "list", description = "Lists the snapshots of a directory.")
    int list(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Parameters(paramLabel = "DIRECTORY", description = "A directory of the mount.") String directory)
            throws IOException {
        FilePath path = FilePath.normalise(directory).child(FilePath.SNAPSHOTS);
        List<Snapshot> found = new ArrayList<>();
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            String after = "";
            List<FileStatus> page;
            do {
                page = bdt.list(path, after, PAGE)
                        .orElseThrow(() -> new FileNotFoundException(directory + ": no such directory"));
                page.forEach(each -> found.add(Snapshot.of(each)));
                after = page.isEmpty()
                        ? after
                        : page.get(page.size() - 1).path().name();
            } while (page.size() == PAGE);
        }
        report.print(found, out -> found.forEach(each -> out.printf("%s  %s%n", each.taken(), each.path())));
        return ExitCodes.OK;
    }

    @Command(name = "rename", description = "Gives a snapshot another name.")
    int rename(
            @Mixin VectorTarget target,
            @Parameters(paramLabel = "DIRECTORY", description = "A directory of the mount.") String directory,
            @Parameters(paramLabel = "NAME", description = "Name of the snapshot.") String from,
            @Parameters(paramLabel = "NEW_NAME", description = "Its name from then on.") String to)
            throws IOException {
        return target.apply(new Operation.RenameSnapshot(FilePath.normalise(directory), from, to));
    }

    @Command(name = "delete", description = "Gives up a snapshot, and in the background the bytes that only it had.")
    int delete(
            @Mixin VectorTarget target,
            @Parameters(paramLabel = "DIRECTORY", description = "A directory of the mount.") String directory,
            @Parameters(paramLabel = "NAME", description = "Name of the snapshot.") String name)
            throws IOException {
        return target.apply(new Operation.DropSnapshot(FilePath.normalise(directory), name));
    }
}
