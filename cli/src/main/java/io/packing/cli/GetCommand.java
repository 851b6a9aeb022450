// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Brings a file of a mount to this machine. */
@Command(
        name = "get",
        description = {
            "Brings a file of a mount to this machine.",
            "The local file appears when all of its bytes are there. packing copy brings trees, and goes on where it was."
        })
final class GetCommand implements Callable<Integer> {
    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Option(names = "--overwrite", description = "Replace a local file that is there.")
    private boolean overwrite;

    @Parameters(index = "0", paramLabel = "FILE", description = "A path of the mount, or " + MountUri.FORM + ".")
    private String file = "";

    @Parameters(
            index = "1",
            paramLabel = "LOCAL",
            arity = "0..1",
            description = "A file or a directory of this machine; by default the file's name, here.")
    private Optional<Path> local = Optional.empty();

    /** A file that was brought, as printed. */
    record Got(String path, String local, long bytes) {}

    @Override
    public Integer call() throws IOException {
        FilePath path = target.path(file);
        if (path.isRoot()) {
            throw new IllegalArgumentException("/ is a directory: packing copy copies trees");
        }
        Path named = local.orElse(Path.of(path.name()));
        Path to = Files.isDirectory(named) ? named.resolve(path.name()) : named;
        if (Files.exists(to) && !overwrite) {
            throw new IllegalArgumentException(
                    "%s is there already: name another file, or add --overwrite".formatted(to));
        }
        long bytes;
        try (GrpcBdts bdts = target.connect();
                RemotePackingFileSystem mount = target.open(bdts)) {
            bytes = get(mount, path, to.toAbsolutePath());
        }
        Got got = new Got(path.value(), to.toString(), bytes);
        report.print(got, out -> out.printf("%s: %,d bytes from %s%n", got.local(), got.bytes(), got.path()));
        return ExitCodes.OK;
    }

    private static long get(RemotePackingFileSystem mount, FilePath path, Path to) throws IOException {
        Path part = to.resolveSibling(to.getFileName() + ".part");
        try {
            long bytes;
            try (OutputStream out = Files.newOutputStream(part)) {
                bytes = CopiedFile.copy(mount, path, out);
            }
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return bytes;
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
