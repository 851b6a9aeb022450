// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes a file share bytes of another, or a directory all that is below another. */
@Command(
        name = "clone",
        description = {
            "Makes a new file or directory that shares the bytes of another one, or makes a file share a range. No "
                    + "byte is copied, and the store is not asked.",
            "Source and clone change independently. The source may be in a snapshot.",
            "A range may overlap its destination, and the destination may be the source."
        })
final class CloneCommand implements Callable<Integer> {
    @Mixin
    private TransferArguments transfer = new TransferArguments();

    @Option(
            names = "--if-equal",
            description =
                    "Let a file that is there share bytes only if it has equal ones, of the range or of the whole source, "
                            + "as one step. It keeps owner, mode and time.")
    private boolean ifEqual;

    @Override
    public Integer call() throws IOException {
        if (ifEqual) {
            return transfer.shareIfEqual();
        }
        return transfer.apply(
                Operation.CloneRange::new,
                (from, to, overwrite) -> new Operation.CloneFile(from, to, overwrite, AttributeChange.NONE),
                Operation.CloneDirectory::new);
    }
}
