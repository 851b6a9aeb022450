// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists a directory. */
@Command(name = "ls", description = "Lists a directory of a mount, or a file.")
final class LsCommand implements Callable<Integer> {
    private static final int PAGE = 1000;

    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Parameters(
            paramLabel = "PATH",
            defaultValue = "/",
            description = "A path of the mount, or " + MountUri.FORM + " (default: ${DEFAULT-VALUE}).")
    private String path = "";

    @Override
    public Integer call() throws IOException {
        FilePath at = target.path(path);
        List<FileEntry> entries;
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            entries = list(bdt, at);
        }
        report.print(entries, out -> entries.forEach(e -> out.println(e.line())));
        return ExitCodes.OK;
    }

    private static List<FileEntry> list(Bdt bdt, FilePath path) throws IOException {
        FileStatus top = bdt.stat(path)
                .orElseThrow(() -> new FileNotFoundException(path.value() + ": no such file or directory"));
        if (!top.isDirectory()) {
            return List.of(FileEntry.of(top));
        }
        List<FileEntry> entries = new ArrayList<>();
        String after = "";
        while (true) {
            List<FileStatus> page = bdt.list(path, after, PAGE)
                    .orElseThrow(() -> new FileNotFoundException(path.value() + ": no such directory"));
            if (page.isEmpty()) {
                return entries;
            }
            page.forEach(status -> entries.add(FileEntry.of(status)));
            after = page.get(page.size() - 1).path().name();
        }
    }
}
