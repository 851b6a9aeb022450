// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Operation;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes bytes of a file. */
@Command(
        name = "punch",
        description = {
            "Deletes a range of bytes of a file: they read as zeros, and the store gets their room back.",
            "A range that reaches the end makes the file shorter."
        })
final class PunchCommand implements Callable<Integer> {
    @Mixin
    private VectorTarget target = new VectorTarget();

    @Mixin
    private RangeArguments range = new RangeArguments();

    @Parameters(paramLabel = "FILE", description = "A file of the mount.")
    private String path = "";

    @Override
    public Integer call() throws IOException {
        if (!range.isGiven()) {
            throw new IllegalArgumentException("say which bytes: --offset and --length");
        }
        return target.apply(new Operation.DeleteRange(range.of(target.path(path))));
    }
}
