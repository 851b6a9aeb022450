// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.blob.BlobReader;
import io.packing.blob.BlobVerifier;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.PackedFile;
import io.packing.blob.VerifiedBlob;
import io.packing.cli.launch.Narrator;
import io.packing.encryption.Keystore;
import io.packing.worker.api.EncryptionOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks into a blob: a local file, or an object of a store; needs no BDT master. */
@Command(name = "blob", description = "Lists, prints, extracts and verifies the files in a blob.")
final class BlobCommand {
    private static final String BLOB = "A blob: a path, file:///dir/blob or an object such as s3://bucket/prefix/blob.";

    /** One request fetches so much of a blob that is read as a whole. */
    private static final int WINDOW_BYTES = 8 << 20;

    /** The footer goes by path; reading by offset fetches each window once. */
    private static final Comparator<PackedFile> IN_BLOB_ORDER = Comparator.comparingLong(
            file -> file.extents().isEmpty() ? 0 : file.extents().get(0).blobOffset());

    /** The options that reach the store of an {@code s3://} blob. */
    static final class Store {
        @Option(
                names = "--option",
                paramLabel = "KEY=VALUE",
                description =
                        "An option of the store, as at the mount, such as packing.s3.endpoint=…, or packing.encryption.keystore=… of "
                                + "an encrypted blob. May be repeated. "
                                + "Keys are taken from " + MountTarget.ACCESS_VARIABLE + " and "
                                + MountTarget.SECRET_VARIABLE
                                + ", or "
                                + "else AWS's chain.")
        private Map<String, String> options = Map.of();

        private NamedBlob open(String blob) throws IOException {
            Map<String, String> ofStore = new LinkedHashMap<>(options);
            EncryptionOptions.OPTIONS.forEach(option -> ofStore.remove(option.key()));
            return NamedBlob.open(blob, MountTarget.withCredentials(ofStore, System.getenv()));
        }

        private Keystore keystore() throws IOException {
            return EncryptionOptions.ofReader(options).open();
        }
    }

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
            FileAttributes a = file.attributes();
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
    int ls(@Mixin Report report, @Mixin Store store, @Parameters(paramLabel = "BLOB", description = BLOB) String blob)
            throws IOException {
        try (NamedBlob opened = store.open(blob);
                Keystore keystore = store.keystore()) {
            List<Entry> entries = BlobReader.open(opened.source(), keystore).footer().stream()
                    .map(Entry::of)
                    .toList();
            report.print(entries, out -> {
                for (Entry e : entries) {
                    out.printf("%s %-8s %-8s %12d  %s%n", e.mode(), e.owner(), e.group(), e.length(), e.path());
                }
            });
        }
        return ExitCodes.OK;
    }

    @Command(name = "cat", description = "Writes one file of a blob to standard output.")
    int cat(
            @Mixin Store store,
            @Parameters(paramLabel = "BLOB", description = BLOB) String blob,
            @Parameters(paramLabel = "PATH", description = "The file's path in the blob.") String path)
            throws IOException {
        try (NamedBlob opened = store.open(blob);
                Keystore keystore = store.keystore()) {
            BlobReader reader = BlobReader.open(opened.source(), keystore);
            PackedFile file = reader.footer()
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
            @Mixin Store store,
            @Parameters(paramLabel = "BLOB", description = BLOB) String blob,
            @Option(
                            names = "--out",
                            paramLabel = "DIR",
                            required = true,
                            description = "Where they go; existing files stay.")
                    Path directory)
            throws IOException {
        try (NamedBlob opened = store.open(blob);
                Keystore keystore = store.keystore()) {
            BlobReader reader =
                    BlobReader.open(new WindowedSource(opened.source(), WINDOW_BYTES, fetched -> {}), keystore);
            List<PackedFile> files =
                    reader.footer().stream().sorted(IN_BLOB_ORDER).toList();
            try (ProgressBar bar = new Narrator(report.isJson()).bar("extracting files", files.size())) {
                for (PackedFile file : files) {
                    extract(reader, file, directory);
                    bar.step();
                }
            }
            report.print(
                    Map.of("files", files.size()), out -> out.printf("%d files below %s%n", files.size(), directory));
        }
        return ExitCodes.OK;
    }

    @Command(name = "verify", description = "Reads a whole blob and checks every checksum in it.")
    int verify(
            @Mixin Report report, @Mixin Store store, @Parameters(paramLabel = "BLOB", description = BLOB) String blob)
            throws IOException {
        try (NamedBlob opened = store.open(blob);
                Keystore keystore = store.keystore();
                ProgressBar bar = new Narrator(report.isJson())
                        .bar("verifying bytes", opened.source().length())) {
            VerifiedBlob verified =
                    BlobVerifier.verify(new WindowedSource(opened.source(), WINDOW_BYTES, bar::stepBy), keystore);
            bar.stepTo(bar.getMax());
            report.print(
                    verified,
                    out -> out.printf(
                            "%s: sound; %d files, %d bytes in %d extents%n",
                            blob, verified.files(), verified.fileBytes(), verified.extents()));
        }
        return ExitCodes.OK;
    }

    private static void extract(BlobReader reader, PackedFile file, Path directory) throws IOException {
        // A path of a blob is normal by its type: it starts at the root and has no dots to climb with.
        Path target = directory.resolve(file.path().value().substring(1));
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        try (OutputStream out =
                Files.newOutputStream(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            copy(reader, file, out);
        }
        Files.setLastModifiedTime(target, FileTime.fromMillis(file.attributes().mtimeMillis()));
    }

    private static void copy(BlobReader reader, PackedFile file, OutputStream out) throws IOException {
        WritableByteChannel channel = Channels.newChannel(out);
        for (Extent extent : file.extents()) {
            ByteBuffer bytes = reader.readExtent(file.version().id(), extent);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }
}
