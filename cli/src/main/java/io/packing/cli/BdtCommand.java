package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Asks a BDT master about the files of a mount. */
@Command(name = "bdt", description = "Lists, describes and locates files at a BDT master.")
final class BdtCommand {
    private static final int PAGE = 1000;

    /** A command's question to the BDT. */
    private interface Question<T> {
        T of(Bdt bdt) throws IOException;
    }

    private static <T> T ask(MasterTarget target, Question<T> question) throws IOException {
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            return question.of(bdt);
        }
    }

    /** A file or directory, as printed. */
    record Entry(
            String path,
            String state,
            String version,
            long length,
            long mtimeMillis,
            String owner,
            String group,
            String mode) {
        static Entry of(FileStatus status) {
            FileAttributes a = status.attributes();
            return new Entry(
                    status.path().value(),
                    status.state().name().toLowerCase(Locale.ROOT),
                    status.version().toString(),
                    a.length(),
                    a.mtimeMillis(),
                    a.owner(),
                    a.group(),
                    Integer.toOctalString(a.mode()));
        }

        String line() {
            return "%s %-9s %-8s %-8s %12d  %s".formatted(mode, state, owner, group, length, path);
        }
    }

    /** One piece of a file in a blob. */
    record Piece(String blob, long blobOffset, long fileOffset, int length, int storedLength, String codec) {}

    /** Bytes of a file that other files may share. */
    record Shared(long offset, long length, String content, long contentOffset, Location location) {}

    /** A file's place; {@code worker} and {@code address} are empty once the file is packed. */
    record Location(
            String path, String state, String worker, String address, List<Piece> extents, List<Shared> contents) {
        static Location of(LocatedFile file) {
            String path = file.status().path().value();
            Placement placement = file.placement();
            if (placement instanceof Placement.Buffered buffered) {
                return new Location(path, "buffered", buffered.worker(), buffered.address(), List.of(), List.of());
            }
            if (placement instanceof Placement.Lost lost) {
                return new Location(path, "lost", lost.worker(), "", List.of(), List.of());
            }
            if (placement instanceof Placement.Withheld) {
                // In blobs, which the master does not name to this user.
                return new Location(path, "withheld", "", "", List.of(), List.of());
            }
            if (placement instanceof Placement.Mapped mapped) {
                List<Shared> contents = mapped.pieces().stream()
                        .map(piece -> new Shared(
                                piece.offset(),
                                piece.length(),
                                piece.content().status().version().toString(),
                                piece.contentOffset(),
                                of(piece.content())))
                        .toList();
                return new Location(path, "mapped", "", "", List.of(), contents);
            }
            List<Piece> pieces = ((Placement.Packed) placement)
                    .extents().stream()
                            .map(e -> new Piece(
                                    e.blob().key(),
                                    e.extent().blobOffset(),
                                    e.extent().fileOffset(),
                                    e.extent().length(),
                                    e.extent().storedLength(),
                                    e.extent().codec().name().toLowerCase(Locale.ROOT)))
                            .toList();
            return new Location(path, "packed", "", "", pieces, List.of());
        }

        void print(PrintWriter out, String indent) {
            out.printf("%s%s: %s %s %s%n", indent, path, state, worker, address);
            extents.forEach(e -> out.printf(
                    "%s  %d+%d  %s %d+%d %s%n",
                    indent, e.fileOffset(), e.length(), e.blob(), e.blobOffset(), e.storedLength(), e.codec()));
            for (Shared shared : contents) {
                out.printf(
                        "%s  %d+%d  content %s at %d%n",
                        indent, shared.offset(), shared.length(), shared.content(), shared.contentOffset());
                shared.location().print(out, indent + "    ");
            }
        }
    }

    @Command(name = "ls", description = "Lists a directory.")
    int ls(
            @Mixin Report report,
            @Mixin MasterTarget target,
            @Parameters(
                            paramLabel = "DIRECTORY",
                            defaultValue = "/",
                            description = "A directory of the mount (default: ${DEFAULT-VALUE}).")
                    String path)
            throws IOException {
        List<Entry> entries = ask(target, bdt -> list(bdt, MountPath.of(path)));
        report.print(entries, out -> entries.forEach(e -> out.println(e.line())));
        return ExitCodes.OK;
    }

    private static List<Entry> list(Bdt bdt, FilePath path) throws IOException {
        List<Entry> entries = new ArrayList<>();
        String after = "";
        while (true) {
            List<FileStatus> page = bdt.list(path, after, PAGE)
                    .orElseThrow(() -> new FileNotFoundException(path.value() + ": no such directory"));
            if (page.isEmpty()) {
                return entries;
            }
            page.forEach(status -> entries.add(Entry.of(status)));
            after = page.get(page.size() - 1).path().name();
        }
    }

    @Command(name = "stat", description = "Describes a file or directory.")
    int stat(
            @Mixin Report report,
            @Mixin MasterTarget target,
            @Parameters(paramLabel = "PATH", description = "A file or directory of the mount.") String path)
            throws IOException {
        Entry entry = ask(
                target,
                bdt -> bdt.stat(MountPath.of(path))
                        .map(Entry::of)
                        .orElseThrow(() -> new FileNotFoundException(path + ": no such file or directory")));
        report.print(entry, out -> out.println(entry.line()));
        return ExitCodes.OK;
    }

    @Command(name = "locate", description = "Tells where the bytes of a file are.")
    int locate(
            @Mixin Report report,
            @Mixin MasterTarget target,
            @Parameters(paramLabel = "FILE", description = "A file of the mount.") String path)
            throws IOException {
        Location location = ask(
                target,
                bdt -> bdt.locate(MountPath.of(path))
                        .map(Location::of)
                        .orElseThrow(() -> new FileNotFoundException(path + ": no such file")));
        report.print(location, out -> location.print(out, ""));
        return ExitCodes.OK;
    }
}
