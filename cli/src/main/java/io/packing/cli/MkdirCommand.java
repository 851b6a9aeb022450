// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a directory. */
@Command(name = "mkdir", description = "Makes a directory of a mount.")
final class MkdirCommand implements Callable<Integer> {
    private static final int MODE = 0755;

    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    @Option(names = "--parents", description = "Make the directories above it, too; one that is there is no failure.")
    private boolean parents;

    @Parameters(paramLabel = "PATH", description = "A path of the mount, or " + MountUri.FORM + ".")
    private String path = "";

    /** A made directory, as printed. */
    record Made(String path) {}

    @Override
    public Integer call() throws IOException {
        FilePath at = target.path(path);
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            DirectoryAttributes attributes = new DirectoryAttributes(System.getProperty("user.name"), "", MODE);
            Outcome outcome = bdt.mkdir(at, attributes, parents);
            boolean there = outcome == Outcome.EXISTS
                    && bdt.stat(at).filter(found -> found.isDirectory()).isPresent();
            if (outcome == Outcome.NO_PARENT) {
                throw new FileNotFoundException("%s: the directory above it is not there: add --parents".formatted(at));
            }
            if (!parents || !there) {
                VectorTarget.check(at, outcome);
            }
        }
        Made made = new Made(at.value());
        report.print(made, out -> out.println(made.path()));
        return ExitCodes.OK;
    }
}
