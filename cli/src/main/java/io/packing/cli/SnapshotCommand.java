// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.HistoryName;
import io.packing.bdt.Operation;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.tree.Difference;
import io.packing.bdt.tree.DirectoryStates;
import io.packing.bdt.tree.TreeDiff;
import io.packing.bdt.tree.TreeRestore;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NotDirectoryException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Snapshots of a mount's directories. */
@Command(
        name = "snapshot",
        description = {
            "Keeps directories as they are at one moment, readable at DIRECTORY/.snapshot/NAME.",
            "Taking one copies nothing; when a file changes, its old bytes are kept until the snapshot is deleted."
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

    /** The oldest and the newest state of a history. */
    private record History(Instant first, Instant last) {
        static Optional<History> of(DirectoryStates states) throws IOException {
            Optional<Instant> first = states.first();
            Optional<Instant> last = states.last();
            return first.isPresent() && last.isPresent()
                    ? Optional.of(new History(first.get(), last.get()))
                    : Optional.empty();
        }

        String line(FilePath directory) {
            return "history of %s: each second from %s on; the newest state is that of %s (--all lists them)"
                    .formatted(directory, first, last);
        }
    }

    /** A difference, as printed. */
    record Changed(
            String kind,
            String path,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String from) {
        static Changed of(Difference difference) {
            return new Changed(
                    difference.kind().name().toLowerCase(Locale.ROOT),
                    difference.path().value(),
                    difference.from().map(FilePath::value).orElse(null));
        }

        String line() {
            char letter = Difference.Kind.valueOf(kind.toUpperCase(Locale.ROOT)).letter();
            return from == null ? "%s  .%s".formatted(letter, path) : "%s  .%s -> .%s".formatted(letter, from, path);
        }
    }

    /** The path of a state, as printed. */
    record State(String path) {}

    /** A restore's result, as printed. */
    record Restored(int operations) {}

    @Command(name = "create", description = "Takes a snapshot of a directory and all below it.")
    int create(@Mixin VectorTarget target, @Mixin SnapshotArguments snapshot) throws IOException {
        return target.apply(new Operation.TakeSnapshot(snapshot.directory(target.mount()), snapshot.name()));
    }

    @Command(
            name = "list",
            description = {
                "Lists the snapshots of a directory.",
                "The states of its history (packing.history.paths) are one line: the oldest and the newest."
            })
    int list(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Option(names = "--all", description = "Lists each state of the history, too.") boolean all,
            @Parameters(paramLabel = "DIRECTORY", description = "A directory of the mount.") String directory)
            throws IOException {
        FilePath path = target.path(directory);
        List<Snapshot> found;
        Optional<History> history;
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            found = snapshots(bdt, path, all || report.isJson());
            history = all ? Optional.empty() : History.of(new DirectoryStates(bdt, path));
        }
        report.print(found, out -> {
            found.forEach(each -> out.printf("%s  %s%n", each.taken(), each.path()));
            history.ifPresent(each -> out.println(each.line(path)));
        });
        return ExitCodes.OK;
    }

    private static List<Snapshot> snapshots(Bdt bdt, FilePath directory, boolean all) throws IOException {
        List<Snapshot> found = new ArrayList<>();
        String after = "";
        List<FileStatus> page;
        do {
            page = bdt.list(directory.child(FilePath.SNAPSHOTS), after, PAGE)
                    .orElseThrow(() -> new FileNotFoundException(directory + ": no such directory"));
            for (FileStatus each : page) {
                after = each.path().name();
                if (!all && HistoryName.isOne(after)) {
                    // All others of the history are behind it.
                    after = HistoryName.of(HistoryName.LATEST);
                    break;
                }
                found.add(Snapshot.of(each));
            }
        } while (page.size() == PAGE || (after.equals(HistoryName.of(HistoryName.LATEST)) && !page.isEmpty()));
        return found;
    }

    @Command(
            name = "at",
            description = {
                "Prints the path of a directory as it was at a time, to read, copy or compare it.",
                "The directory needs a history: the option packing.history.paths of the mount."
            })
    int at(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Parameters(index = "0", paramLabel = "DIRECTORY", description = "A directory of the mount.")
                    String directory,
            @Parameters(
                            index = "1",
                            paramLabel = "TIME",
                            converter = PastTime.Converter.class,
                            description = "A time like 2026-11-30T20:07:13Z, or '10m ago'.")
                    PastTime time)
            throws IOException {
        FilePath path = target.path(directory);
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            Instant now = Clock.systemUTC().instant();
            State state = new State(
                    new DirectoryStates(bdt, path).at(time.before(now), now).value());
            report.print(state, out -> out.println(state.path()));
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "diff",
            description = {
                "Prints what changed in a directory since a snapshot, or between two snapshots of it.",
                "The letters: + created, - deleted, M modified, R renamed. Paths are relative to the directory."
            })
    int diff(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Mixin SnapshotArguments snapshot,
            @Parameters(
                            index = "2",
                            paramLabel = "LATER",
                            arity = "0..1",
                            description = "The later snapshot; without one, the directory as it is now.")
                    Optional<String> later)
            throws IOException {
        FilePath path = snapshot.directory(target);
        List<Changed> changes = new ArrayList<>();
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            FilePath before = existing(bdt, path, snapshot.name());
            FilePath after = later.isPresent() ? existing(bdt, path, later.get()) : path;
            TreeDiff.between(bdt, before, after).forEach(each -> changes.add(Changed.of(each)));
        }
        report.print(changes, out -> changes.forEach(each -> out.println(each.line())));
        return ExitCodes.OK;
    }

    @Command(
            name = "restore",
            description = {
                "Makes a directory again what it was in a snapshot, or at a time, at once or not at all.",
                "What is new is deleted; no byte is copied, and the snapshot stays."
            })
    int restore(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Parameters(index = "0", paramLabel = "DIRECTORY", description = "A directory of the mount.")
                    String directory,
            @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "Name of the snapshot.")
                    Optional<String> name,
            @Option(
                            names = "--as-of",
                            paramLabel = "TIME",
                            converter = PastTime.Converter.class,
                            description =
                                    "The time of the state, like 2026-11-30T20:07:13Z or '10m ago'. The directory needs a history: packing.history.paths.")
                    Optional<PastTime> time,
            @Option(
                            names = "--path",
                            paramLabel = "PATH",
                            description = "Restores this file or directory only, relative to DIRECTORY.")
                    Optional<String> below)
            throws IOException {
        if (name.isPresent() == time.isPresent()) {
            throw new IllegalArgumentException("restore takes either the NAME of a snapshot or --as-of TIME");
        }
        FilePath path = target.path(directory);
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            Instant now = Clock.systemUTC().instant();
            FilePath from = time.isPresent()
                    ? new DirectoryStates(bdt, path).at(time.get().before(now), now)
                    : existing(bdt, path, name.orElseThrow());
            String rest = below.map(each -> "/" + each).orElse("");
            FilePath source = FilePath.normalise(from + rest);
            FilePath to = FilePath.normalise(path + rest);
            Restored restored = new Restored(TreeRestore.restore(bdt, source, to));
            report.print(restored, out -> out.printf("%d operations, as one vector%n", restored.operations()));
        } catch (TreeRestore.RefusedException e) {
            throw VectorTarget.failure(
                    VectorWords.refusal(e.vector(), e.refused()), e.refused().reason());
        }
        return ExitCodes.OK;
    }

    private static FilePath existing(Bdt bdt, FilePath directory, String name) throws IOException {
        checkDirectory(bdt, directory);
        FilePath snapshot = directory.child(FilePath.SNAPSHOTS).child(name);
        if (bdt.stat(snapshot).isEmpty()) {
            throw new FileNotFoundException("%s has no snapshot %s".formatted(directory, name));
        }
        return snapshot;
    }

    private static void checkDirectory(Bdt bdt, FilePath path) throws IOException {
        FileStatus there = bdt.stat(path).orElseThrow(() -> new FileNotFoundException(path + ": no such directory"));
        if (!there.isDirectory()) {
            throw new NotDirectoryException(path.value());
        }
    }

    @Command(name = "rename", description = "Gives a snapshot another name.")
    int rename(
            @Mixin VectorTarget target,
            @Mixin SnapshotArguments snapshot,
            @Parameters(index = "2", paramLabel = "NEW_NAME", description = "Its name from then on.") String to)
            throws IOException {
        return target.apply(new Operation.RenameSnapshot(snapshot.directory(target.mount()), snapshot.name(), to));
    }

    @Command(name = "delete", description = "Gives up a snapshot, and in the background the bytes that only it had.")
    int delete(@Mixin VectorTarget target, @Mixin SnapshotArguments snapshot) throws IOException {
        return target.apply(new Operation.DropSnapshot(snapshot.directory(target.mount()), snapshot.name()));
    }
}
