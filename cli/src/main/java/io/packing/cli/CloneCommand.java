package io.packing.cli;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
    private VectorTarget target = new VectorTarget();

    @Mixin
    private RangeArguments range = new RangeArguments();

    @Option(
            names = "--at",
            paramLabel = "BYTES",
            defaultValue = "0",
            converter = ByteOffset.class,
            description = "Where a range goes in the destination (default: ${DEFAULT-VALUE}).")
    private long at;

    @Option(names = "--overwrite", description = "Replace a file at the destination; for whole files.")
    private boolean overwrite;

    @Parameters(paramLabel = "SOURCE", description = "A file of the mount.")
    private String source = "";

    @Parameters(paramLabel = "DESTINATION", description = "A path of the mount; for a range, a file.")
    private String destination = "";

    @Override
    public Integer call() throws IOException {
        FilePath from = FilePath.normalise(source);
        FilePath to = FilePath.normalise(destination);
        return target.apply(
                range.isGiven()
                        ? new Operation.CloneRange(range.of(from), to, at)
                        : new Operation.CloneFile(from, to, overwrite, AttributeChange.NONE));
    }
}
