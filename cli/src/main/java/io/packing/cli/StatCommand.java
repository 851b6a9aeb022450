// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Describes a file or directory. */
@Command(name = "stat", description = "Describes a file or directory of a mount.")
final class StatCommand implements Callable<Integer> {
    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Parameters(paramLabel = "PATH", description = "A path of the mount, or " + MountUri.FORM + ".")
    private String path = "";

    @Override
    public Integer call() throws IOException {
        FilePath at = target.path(path);
        FileEntry found;
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            found = bdt.stat(at)
                    .map(FileEntry::of)
                    .orElseThrow(() -> new FileNotFoundException(at + ": no such file or directory"));
        }
        report.print(found, out -> out.println(found.line()));
        return ExitCodes.OK;
    }
}
