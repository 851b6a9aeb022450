// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Writes files to standard output. */
@Command(name = "cat", description = "Writes files of a mount to standard output.")
final class CatCommand implements Callable<Integer> {
    @Mixin
    private MasterTarget target = new MasterTarget();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Paths of the mount, or " + MountUri.FORM + ".")
    private List<String> files = List.of();

    @Override
    public Integer call() throws IOException {
        List<FilePath> paths = new ArrayList<>();
        for (String file : files) {
            paths.add(target.path(file));
        }
        try (GrpcBdts bdts = target.connect();
                RemotePackingFileSystem mount = target.open(bdts)) {
            for (FilePath path : paths) {
                long unused = CopiedFile.copy(mount, path, System.out);
            }
            System.out.flush();
        }
        return ExitCodes.OK;
    }
}
