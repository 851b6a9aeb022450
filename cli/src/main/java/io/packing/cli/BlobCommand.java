package io.packing.cli;

import io.packing.blob.BlobReader;
import io.packing.blob.BlobVerifier;
import io.packing.blob.FilePath;
import io.packing.blob.FileRangeSource;
import io.packing.blob.PackedFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks into a blob that is a local file; needs no server. */
@Command(name = "blob", description = "Lists, prints, extracts and verifies the files in a blob.")
final class BlobCommand {
    private static final String BLOB = "A blob, as a local file.";

    /** A row of {@code blob ls}. */
    record Entry(
            String path,
            String version,
            long length,
            long mtimeMillis,
            String owner,
            String group,
            String mode,
            int extents) {
        static Entry of(PackedFile file) {
            var a = file.attributes();
            return new Entry(
                    file.path().value(),
                    file.version().toString(),
                    a.length(),
                    a.mtimeMillis(),
                    a.owner(),
                    a.group(),
                    Integer.toOctalString(a.mode()),
                    file.extents().size());
        }
    }

    @Command(name = "ls", description = "Lists the files in a blob.")
    int ls(@Mixin Report report, @Parameters(paramLabel = "BLOB", description = BLOB) Path blob) throws IOException {
        try (var channel = open(blob)) {
            List<Entry> entries =
                    read(blob, channel).footer().stream().map(Entry::of).toList();
            report.print(entries, out -> {
                for (var e : entries) {
                    out.printf("%s %-8s %-8s %12d  %s%n", e.mode(), e.owner(), e.group(), e.length(), e.path());
                }
            });
        }
        return ExitCodes.OK;
    }

    @Command(name = "cat", description = "Writes one file of a blob to standard output.")
    int cat(
            @Parameters(paramLabel = "BLOB", description = BLOB) Path blob,
            @Parameters(paramLabel = "PATH", description = "The file's path in the blob.") String path)
            throws IOException {
        try (var channel = open(blob)) {
            var reader = read(blob, channel);
            var file = reader.footer()
                    .find(FilePath.normalise(path))
                    .orElseThrow(() -> new FileNotFoundException("%s: no file %s in it".formatted(blob, path)));
            copy(reader, file, System.out);
            System.out.flush();
        }
        return ExitCodes.OK;
    }

    @Command(name = "extract", description = "Extracts every file of a blob below a directory.")
    int extract(
            @Mixin Report report,
            @Parameters(paramLabel = "BLOB", description = BLOB) Path blob,
            @Option(names = "--to", paramLabel = "DIR", required = true, description = "Where to; existing files stay.")
                    Path directory)
            throws IOException {
        long files = 0;
        try (var channel = open(blob)) {
            var reader = read(blob, channel);
            for (var file : reader.footer()) {
                // A path of a blob is normal by its type: it starts at the root and has no dots to climb with.
                var target = directory.resolve(file.path().value().substring(1));
                Files.createDirectories(java.util.Objects.requireNonNull(target.getParent()));
                try (var out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                    copy(reader, file, out);
                }
                files++;
            }
        }
        var count = files;
        report.print(Map.of("files", count), out -> out.printf("%d files below %s%n", count, directory));
        return ExitCodes.OK;
    }

    @Command(name = "verify", description = "Reads a whole blob and checks every checksum in it.")
    int verify(@Mixin Report report, @Parameters(paramLabel = "BLOB", description = BLOB) Path blob)
            throws IOException {
        try (var channel = open(blob)) {
            var verified = BlobVerifier.verify(new FileRangeSource(blob.toString(), channel));
            report.print(
                    verified,
                    out -> out.printf(
                            "%s: sound; %d files, %d bytes in %d extents%n",
                            blob, verified.files(), verified.fileBytes(), verified.extents()));
        }
        return ExitCodes.OK;
    }

    private static FileChannel open(Path blob) throws IOException {
        return FileChannel.open(blob, StandardOpenOption.READ);
    }

    private static BlobReader read(Path blob, FileChannel channel) throws IOException {
        return BlobReader.open(new FileRangeSource(blob.toString(), channel));
    }

    private static void copy(BlobReader reader, PackedFile file, OutputStream out) throws IOException {
        var channel = Channels.newChannel(out);
        for (var extent : file.extents()) {
            var bytes = reader.readExtent(extent);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }
}
