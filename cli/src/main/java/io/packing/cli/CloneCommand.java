package io.packing.cli;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Makes one file share bytes of another. */
@Command(
        name = "clone",
        description = {
            "Makes a new file that shares all bytes of another one, or makes a file share a range of them. No byte is "
                    + "copied, and the store is not asked.",
            "A range may overlap its destination, and the destination may be the source."
        })
final class CloneCommand implements Callable<Integer> {
    @Mixin
    private TransferArguments transfer = new TransferArguments();

    @Override
    public Integer call() throws IOException {
        return transfer.apply(
                Operation.CloneRange::new,
                (from, to, overwrite) -> new Operation.CloneFile(from, to, overwrite, AttributeChange.NONE));
    }
}
