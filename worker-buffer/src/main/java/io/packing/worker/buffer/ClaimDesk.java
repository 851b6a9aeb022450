package io.packing.worker.buffer;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Where the buffer has its files claimed. */
@FunctionalInterface
public interface ClaimDesk {
    /** One result for each claim, in order; fails when it is not known whether they were granted. */
    CompletableFuture<List<ClaimResult>> claim(List<Claim> claims);
}
