// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.worker.api.AtomicOutput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Replaces bytes of a file that is there. */
@Command(
        name = "write-at",
        description = {
            "Replaces bytes of a file by those of a local file, all at once: no reader sees a part, and no crash "
                    + "leaves one.",
            "Clones and snapshots keep their bytes. The file grows where the new bytes reach behind its end; a gap "
                    + "before them reads as zeros."
        })
final class WriteAtCommand implements Callable<Integer> {
    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Option(
            names = "--offset",
            paramLabel = "BYTES",
            required = true,
            converter = ByteOffset.class,
            description = "Where the first byte goes, such as 4096 or 4KB.")
    private long offset;

    @Parameters(paramLabel = "PATH", description = "A file of the mount.")
    private String path = "";

    @Parameters(paramLabel = "FILE", description = "A local file; - for the standard input.")
    private String file = "";

    /** A write's result, as printed. */
    record Written(String path, long offset, long bytes, double milliseconds) {}

    @Override
    public Integer call() throws IOException {
        FilePath to = target.path(path);
        try (GrpcBdts bdts = target.connect();
                RemotePackingFileSystem mount = target.open(bdts);
                InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
            // Before all bytes were sent for nothing.
            if (mount.bdt().stat(to).isEmpty()) {
                throw new FileNotFoundException(to + ": no such file; nothing was written");
            }
            long start = System.nanoTime();
            long bytes = write(in, mount.writeAt(to, offset));
            Written written = new Written(to.value(), offset, bytes, (System.nanoTime() - start) / 1e6);
            report.print(
                    written,
                    out -> out.printf(
                            "wrote %,d bytes at offset %,d of %s in %.1f ms%n",
                            written.bytes(), written.offset(), written.path(), written.milliseconds()));
        }
        return ExitCodes.OK;
    }

    private static long write(InputStream in, AtomicOutput out) throws IOException {
        try {
            long bytes = in.transferTo(out);
            out.close();
            return bytes;
        } catch (IOException | RuntimeException e) {
            // Half of what should be read must not appear.
            out.abort();
            throw e;
        }
    }
}
