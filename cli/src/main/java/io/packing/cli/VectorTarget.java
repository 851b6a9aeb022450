package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.GrpcBdts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Mixin;

/** The mount to whose table a command applies a vector. */
final class VectorTarget {
    @Mixin
    private MasterTarget target = new MasterTarget();

    @Mixin
    private Report report = new Report();

    /** What a command prints of a vector that was applied. */
    record Applied(long position, int operations, double milliseconds) {}

    /** What to apply, as what is in the mount says. */
    interface Choice {
        Operation of(Bdt bdt) throws IOException;
    }

    int apply(Operation operation) throws IOException {
        return apply(new OperationVector(List.of(), List.of(operation)));
    }

    /** Applies all of it; a refusal is an exception that names what was refused. */
    int apply(OperationVector vector) throws IOException {
        return with(bdt -> apply(bdt, vector));
    }

    int choose(Choice choice) throws IOException {
        return with(bdt -> apply(bdt, OperationVector.of(choice.of(bdt))));
    }

    private interface Use {
        int of(Bdt bdt) throws IOException;
    }

    private int with(Use use) throws IOException {
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            return use.of(bdt);
        }
    }

    private int apply(Bdt bdt, OperationVector vector) throws IOException {
        long start = System.nanoTime();
        VectorResult result = bdt.apply(vector);
        if (result instanceof VectorResult.Refused refused) {
            throw failure(VectorWords.refusal(vector, refused), refused.reason());
        }
        Applied applied = new Applied(
                ((VectorResult.Applied) result).position(),
                vector.operations().size(),
                (System.nanoTime() - start) / 1e6);
        report.print(
                applied,
                out -> out.printf("done in %.1f ms, position %d%n", applied.milliseconds(), applied.position()));
        return ExitCodes.OK;
    }

    /** The exception that a refusal is, so that exit codes tell. */
    static IOException failure(String message, Outcome reason) {
        if (reason == Outcome.NOT_FOUND || reason == Outcome.NO_PARENT) {
            return new FileNotFoundException(message);
        }
        return new IOException(message);
    }
}
