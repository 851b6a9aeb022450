// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import java.util.concurrent.CompletableFuture;

/** The one who changes a mount's table: takes mutations in order, and answers each when it is durable. Thread-safe. */
public interface TableWriter {
    /** Queues a mutation; the answer fails with whatever the mutation throws. */
    <T> CompletableFuture<T> submit(Mutation<T> mutation);
}
