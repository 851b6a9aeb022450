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
            "Makes a new file that shares all bytes of another one, a new directory that shares all that is below "
                    + "another one, or makes a file share a range of bytes. No byte is copied, and the store is not "
                    + "asked.",
            "Source and clone change without each other from then on. The source may be in a snapshot.",
            "A range may overlap its destination, and the destination may be the source.",
            "With --if-equal, a file that is there shares bytes only if it has equal ones already, as one step against all who "
                    + "write meanwhile."
        })
final class CloneCommand implements Callable<Integer> {
    @Mixin
    private TransferArguments transfer = new TransferArguments();

    @Option(
            names = "--if-equal",
            description =
                    "Read both, and share bytes that are equal: of the range, or all of the source. The destination stays the "
                            + "file that it is, with its owner, mode and time.")
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
