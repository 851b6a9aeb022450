// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DeniedException;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.change.TableWriter;
import io.packing.bdt.master.table.operation.AppendOperations;
import io.packing.bdt.master.table.operation.ClaimOperations;
import io.packing.bdt.master.table.operation.Claimants;
import io.packing.bdt.master.table.operation.NamespaceOperations;
import io.packing.bdt.master.table.operation.VectorOperations;
import io.packing.bdt.master.table.row.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Writes a batch of claims in few mutations: claims that append have one each, since a refusal takes the whole mutation back. Thread-safe. */
final class ClaimWriter {
    private final TableWriter writer;
    private final VectorWriter vectors;

    ClaimWriter(TableWriter writer, VectorWriter vectors) {
        this.writer = writer;
        this.vectors = vectors;
    }

    /** Claims files for their users; one result for each, in order. */
    CompletableFuture<List<ClaimResult>> claim(
            SessionId session, List<Claim> batch, Claimants claimants, long nowMillis) {
        CompletableFuture<List<ClaimResult>> all = CompletableFuture.completedFuture(List.of());
        for (int from = 0; from < batch.size() || batch.isEmpty(); ) {
            int to = from;
            while (to < batch.size() && batch.get(to).append().isEmpty()) {
                to++;
            }
            CompletableFuture<List<ClaimResult>> next;
            if (to == from && !batch.isEmpty()) {
                next = append(session, batch.get(from), claimants, nowMillis).thenApply(List::of);
                to++;
            } else {
                List<Claim> plain = batch.subList(from, to);
                next = writer.submit(
                        transaction -> new ClaimOperations(transaction, new NamespaceOperations(transaction), claimants)
                                .claim(session, plain));
            }
            if (to == batch.size() && from == 0) {
                return next;
            }
            all = all.thenCombine(next, ClaimWriter::joined);
            from = to;
        }
        return all;
    }

    private static List<ClaimResult> joined(List<ClaimResult> first, List<ClaimResult> then) {
        List<ClaimResult> all = new ArrayList<>(first);
        all.addAll(then);
        return all;
    }

    private CompletableFuture<ClaimResult> append(SessionId session, Claim claim, Claimants claimants, long nowMillis) {
        CompletableFuture<ClaimResult> claimed = writer.submit(
                transaction -> new AppendOperations(transaction, claimants, nowMillis).claim(session, claim));
        return claimed.thenCompose(result -> vectors.answered(
                        claim.append()
                                .orElseThrow()
                                .vector(claim.path(), claim.attributes().length()),
                        result))
                .exceptionallyCompose(ClaimWriter::refused);
    }

    private static CompletableFuture<ClaimResult> refused(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof VectorOperations.RefusedException refused) {
            // A file that is elsewhere has changed for its writer, too.
            boolean changed = refused.result().kind() == VectorResult.Kind.PRECONDITION;
            return CompletableFuture.completedFuture(new ClaimResult.Refused(
                    changed ? Outcome.CHANGED : refused.result().reason()));
        }
        if (cause instanceof QuotaExceededException quota) {
            return CompletableFuture.completedFuture(
                    new ClaimResult.Refused(quota.reason(), String.valueOf(quota.getMessage())));
        }
        if (cause instanceof DeniedException) {
            return CompletableFuture.completedFuture(
                    new ClaimResult.Refused(Outcome.DENIED, String.valueOf(cause.getMessage())));
        }
        return CompletableFuture.failedFuture(failure);
    }
}
