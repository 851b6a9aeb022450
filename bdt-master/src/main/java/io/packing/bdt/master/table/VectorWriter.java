// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.change.TableWriter;
import io.packing.bdt.master.table.operation.VectorOperations;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.row.RequestSize;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Applies vectors, and answers them when their bytes are as durable as the mount asks. Thread-safe. */
final class VectorWriter {
    private final TableWriter writer;
    private volatile Predicate<OperationVector> waits = vector -> false;
    private volatile Supplier<CompletableFuture<Void>> durable = () -> CompletableFuture.completedFuture(null);

    VectorWriter(TableWriter writer) {
        this.writer = writer;
    }

    /** Answers some vectors when this, asked after they were written, completes. */
    void answerWhen(Predicate<OperationVector> these, Supplier<CompletableFuture<Void>> asked) {
        durable = asked;
        waits = these;
    }

    CompletableFuture<VectorResult> apply(
            long request, OperationVector vector, Permissions permissions, long nowMillis) {
        RequestSize size = RequestSize.of(vector);
        CompletableFuture<VectorResult> applied = writer.submit(transaction -> {
            if (transaction.requests().answer(request).isPresent()) {
                return new VectorResult.Applied(transaction.change().position());
            }
            transaction.rows().effort().limit(size);
            VectorResult.Applied result = new VectorOperations(transaction, permissions, nowMillis).apply(vector);
            transaction.remember(request, Outcome.DONE);
            return new VectorResult.Applied(
                    result.position(), transaction.rows().bytesOfMutation());
        });
        CompletableFuture<VectorResult> answered = applied.exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof VectorOperations.RefusedException refused
                    ? CompletableFuture.completedFuture(refused.result())
                    : CompletableFuture.failedFuture(failure);
        });
        return answered.thenCompose(result -> result instanceof VectorResult.Applied
                ? answered(vector, result)
                : CompletableFuture.completedFuture(result));
    }

    /** Answers with the result of a vector that was applied. */
    <T> CompletableFuture<T> answered(OperationVector vector, T result) {
        return journaled(result, waits.test(vector));
    }

    /** Answers with a result, some when the store has the journal of it. */
    <T> CompletableFuture<T> journaled(T result, boolean isAwaited) {
        return isAwaited ? durable.get().thenApply(unused -> result) : CompletableFuture.completedFuture(result);
    }
}
