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

/** Tells where the bytes of a file are. */
@Command(name = "locate", description = "Tells where the bytes of a file are: at a worker, or in which blobs.")
final class LocateCommand implements Callable<Integer> {
    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Parameters(paramLabel = "FILE", description = "A path of the mount, or " + MountUri.FORM + ".")
    private String path = "";

    @Override
    public Integer call() throws IOException {
        FilePath at = target.path(path);
        FileLocation found;
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            found = bdt.locate(at)
                    .map(FileLocation::of)
                    .orElseThrow(() -> new FileNotFoundException(at + ": no such file"));
        }
        report.print(found, out -> found.print(out, ""));
        return ExitCodes.OK;
    }
}
