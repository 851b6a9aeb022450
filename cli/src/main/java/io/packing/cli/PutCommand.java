// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.FileStatus;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a local file into a mount. */
@Command(
        name = "put",
        description = {
            "Writes a file of this machine into a mount, with the directories above it.",
            "The file appears when all of its bytes are there. packing copy writes trees, and goes on where it was."
        })
final class PutCommand implements Callable<Integer> {
    private static final int MODE = 0644;

    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Option(names = "--overwrite", description = "Replace a file of the mount that is there.")
    private boolean overwrite;

    @Option(
            names = "--flush",
            description = "Return when the file is in the backing store: workers push all that they buffer.")
    private boolean flush;

    @Parameters(index = "0", paramLabel = "LOCAL", description = "A file of this machine; - for the standard input.")
    private String local = "";

    @Parameters(
            index = "1",
            paramLabel = "PATH",
            description =
                    "A path of the mount, or " + MountUri.FORM + "; into a directory the file goes under its name.")
    private String path = "";

    /** A file that was written, as printed. */
    record Put(String path, long bytes, String version) {}

    @Override
    public Integer call() throws IOException {
        FilePath named = target.path(path);
        Path from = Path.of(local);
        if (!isStandardInput() && !Files.isRegularFile(from)) {
            if (Files.isDirectory(from)) {
                throw new IllegalArgumentException("%s is a directory: packing copy copies trees".formatted(from));
            }
            throw new NoSuchFileException(local);
        }
        try (GrpcBdts bdts = target.connect();
                RemotePackingFileSystem mount = target.open(bdts)) {
            FilePath to = destination(mount, named, from);
            Put put;
            try (InputStream in = isStandardInput() ? System.in : Files.newInputStream(from)) {
                put = write(mount, to, in);
            }
            if (flush) {
                Map<String, Long> gone = mount.flushLive();
                if (!gone.isEmpty()) {
                    report.err().printf("packing: workers that are gone hold files: %s%n", gone);
                    report.err().flush();
                }
            }
            report.print(put, out -> out.printf("%s: %,d bytes%n", put.path(), put.bytes()));
        }
        return ExitCodes.OK;
    }

    private boolean isStandardInput() {
        return local.equals("-");
    }

    private FilePath destination(RemotePackingFileSystem mount, FilePath named, Path from) throws IOException {
        Optional<FileStatus> there = mount.bdt().stat(named);
        if (there.filter(FileStatus::isDirectory).isPresent()) {
            if (isStandardInput()) {
                throw new IllegalArgumentException(
                        "%s is a directory: name the file that the standard input becomes".formatted(named));
            }
            FilePath below = named.child(String.valueOf(from.getFileName()));
            there = mount.bdt().stat(below);
            return checked(below, there);
        }
        return checked(named, there);
    }

    private FilePath checked(FilePath to, Optional<FileStatus> there) throws IOException {
        if (there.filter(FileStatus::isDirectory).isPresent()) {
            throw new IllegalArgumentException("%s is a directory".formatted(to));
        }
        if (there.isPresent() && !overwrite) {
            throw new FileAlreadyExistsException(
                    to.value(), null, "it is there already: name another path, or add --overwrite");
        }
        return to;
    }

    private Put write(RemotePackingFileSystem mount, FilePath to, InputStream in) throws IOException {
        CreateOptions options = new CreateOptions(System.getProperty("user.name"), "", MODE, true, overwrite);
        PackingOutput out = mount.create(to, options);
        try {
            long bytes = in.transferTo(out);
            out.close();
            return new Put(to.value(), bytes, out.version().toString());
        } catch (IOException | RuntimeException e) {
            // Half of the file must not appear.
            out.abort();
            throw e;
        }
    }
}
