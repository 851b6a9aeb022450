package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.GrpcBdts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
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

    int apply(Operation operation) throws IOException {
        return apply(new OperationVector(List.of(), List.of(operation)));
    }

    /** Applies all of it; a refusal is an exception that names what was refused. */
    int apply(OperationVector vector) throws IOException {
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            long start = System.nanoTime();
            VectorResult result = bdt.apply(vector);
            if (result instanceof VectorResult.Refused refused) {
                throw failure(vector, refused);
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
    }

    private static IOException failure(OperationVector vector, VectorResult.Refused refused) {
        String what = refused.kind() == VectorResult.Kind.PRECONDITION
                ? "precondition %d, %s"
                        .formatted(refused.index(), vector.preconditions().get(refused.index()))
                : "operation %d, %s"
                        .formatted(refused.index(), vector.operations().get(refused.index()));
        String message = "%s: %s; nothing has changed".formatted(what, reason(refused.reason()));
        if (refused.reason() == Outcome.NOT_FOUND || refused.reason() == Outcome.NO_PARENT) {
            return new FileNotFoundException(message);
        }
        return refused.reason() == Outcome.EXISTS ? new FileAlreadyExistsException(message) : new IOException(message);
    }

    private static String reason(Outcome outcome) {
        return switch (outcome) {
            case DONE -> "done";
            case NOT_FOUND -> "no such file or directory";
            case EXISTS -> "there is something already";
            case NO_PARENT -> "the directory above does not exist";
            case NOT_A_DIRECTORY -> "a file is where a directory must be";
            case IS_A_DIRECTORY -> "a directory is where a file must be";
            case NOT_EMPTY -> "the directory is not empty";
            case INVALID ->
                "it cannot be done: a range ends behind the end of its file, a tree would be in itself, or the"
                        + " root would change";
            case CHANGED -> "another version is there";
        };
    }
}
