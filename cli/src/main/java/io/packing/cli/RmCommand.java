// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes files and directories. */
@Command(name = "rm", description = "Deletes files of a mount, or with --recursive directories with all below them.")
final class RmCommand implements Callable<Integer> {
    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Option(names = "--recursive", description = "Delete directories with all below them; without it only empty ones.")
    private boolean recursive;

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Paths of the mount, or " + MountUri.FORM + ".")
    private List<String> paths = List.of();

    /** Deleted paths, as printed. */
    record Deleted(List<String> deleted) {}

    @Override
    public Integer call() throws IOException {
        List<FilePath> all = new ArrayList<>();
        for (String path : paths) {
            all.add(target.path(path));
        }
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            for (FilePath path : all) {
                Outcome outcome = bdt.delete(path, recursive);
                if (outcome == Outcome.NOT_EMPTY) {
                    throw new IOException("%s is a directory with entries: add --recursive".formatted(path));
                }
                VectorTarget.check(path, outcome);
            }
        }
        Deleted deleted = new Deleted(all.stream().map(FilePath::value).toList());
        report.print(deleted, out -> deleted.deleted().forEach(each -> out.println(each + ": deleted")));
        return ExitCodes.OK;
    }
}
