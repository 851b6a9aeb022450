// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Operation;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Moves a file, or bytes from one file to another. */
@Command(
        name = "move",
        aliases = "mv",
        description = {
            "Moves a file or a directory, or moves a range of bytes to another file. No byte is copied, and the store is "
                    + "not asked.",
            "Where a range was, the source reads as zeros."
        })
final class MoveCommand implements Callable<Integer> {
    @Mixin
    private TransferArguments transfer = new TransferArguments();

    @Override
    public Integer call() throws IOException {
        return transfer.apply(Operation.MoveRange::new, Operation.Rename::new);
    }
}
