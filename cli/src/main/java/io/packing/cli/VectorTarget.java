// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.worker.api.EqualBytes;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.client.RemotePackingFileSystem;
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

    /** The printed result of an applied vector. */
    record Applied(long position, int operations, double milliseconds) {}

    /** The printed result of a sharing of equal bytes. */
    record Shared(long bytes, double milliseconds) {}

    /** A choice of the operation by the state of the mount. */
    interface Choice {
        Operation of(Bdt bdt) throws IOException;
    }

    /** Returns the mount that the command names. */
    MasterTarget mount() {
        return target;
    }

    /** Takes a path of the mount, or a URI that names the mount with it. */
    FilePath path(String text) throws IOException {
        return target.path(text);
    }

    int apply(Operation operation) throws IOException {
        return apply(new OperationVector(List.of(), List.of(operation)));
    }

    /** Applies all of a vector, or throws an exception that names the refused part. */
    int apply(OperationVector vector) throws IOException {
        return with(bdt -> apply(bdt, vector));
    }

    /** Applies a vector if ranges have equal bytes, too. */
    int apply(OperationVector vector, List<EqualBytes> equal) throws IOException {
        if (equal.isEmpty()) {
            return apply(vector);
        }
        return withBytes(mount -> {
            long start = System.nanoTime();
            VectorResult result = EqualBytes.apply(mount, equal, vector);
            int behind = vector.preconditions().size();
            if (result instanceof VectorResult.Refused refused
                    && refused.kind() == VectorResult.Kind.PRECONDITION
                    && refused.index() >= behind) {
                throw unequal(equal.get(refused.index() - behind));
            }
            return report(vector, result, start);
        });
    }

    /** Lets a range share the bytes of another, if they are equal. */
    int share(EqualBytes ranges) throws IOException {
        return withBytes(mount -> {
            long start = System.nanoTime();
            if (!ranges.share(mount)) {
                throw unequal(ranges);
            }
            Shared shared = new Shared(ranges.first().length(), (System.nanoTime() - start) / 1e6);
            report.print(
                    shared,
                    out -> out.printf("%,d bytes are shared, in %.1f ms%n", shared.bytes(), shared.milliseconds()));
            return ExitCodes.OK;
        });
    }

    /** Returns a file's length in bytes. */
    long length(FilePath path) throws IOException {
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            FileStatus file = bdt.stat(path)
                    .orElseThrow(() -> new FileNotFoundException(path + ": no such file; nothing has changed"));
            if (file.isDirectory()) {
                throw new IllegalArgumentException("%s is a directory, and files are compared".formatted(path));
            }
            if (file.attributes().length() == 0) {
                throw new IllegalArgumentException("%s has no bytes that could be shared".formatted(path));
            }
            return file.attributes().length();
        }
    }

    private static IOException unequal(EqualBytes ranges) {
        return new IOException(
                "the bytes of %s and of %s differ; nothing has changed".formatted(ranges.first(), ranges.second()));
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

    private interface UseOfBytes {
        int of(PackingFileSystem mount) throws IOException;
    }

    private int withBytes(UseOfBytes use) throws IOException {
        try (GrpcBdts bdts = target.connect();
                RemotePackingFileSystem mount = target.open(bdts)) {
            return use.of(mount);
        }
    }

    private int apply(Bdt bdt, OperationVector vector) throws IOException {
        long start = System.nanoTime();
        return report(vector, bdt.apply(vector), start);
    }

    private int report(OperationVector vector, VectorResult result, long start) throws IOException {
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

    /** Throws the exception that an outcome of one path is, unless it is done. */
    static void check(FilePath path, Outcome outcome) throws IOException {
        if (outcome != Outcome.DONE) {
            throw failure("%s: %s".formatted(path, VectorWords.reason(outcome)), outcome);
        }
    }

    /** The exception that a refusal is, so that exit codes tell. */
    static IOException failure(String message, Outcome reason) {
        if (reason == Outcome.NOT_FOUND || reason == Outcome.NO_PARENT) {
            return new FileNotFoundException(message);
        }
        return new IOException(message);
    }
}
