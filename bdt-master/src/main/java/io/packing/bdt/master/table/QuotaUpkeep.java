// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.master.table.change.TableWriter;
import io.packing.bdt.master.table.read.QuotaCounting;
import io.packing.bdt.master.table.row.QuotaCount;
import io.packing.bdt.master.table.row.QuotaUse;
import java.io.IOException;
import java.util.Optional;

/** Counts directories whose quotas need it, beside the writer (RFC 0014). */
final class QuotaUpkeep {
    private QuotaUpkeep() {}

    /** Counts the next of them; returns whether there was one. */
    static boolean step(TableState state, TableWriter writer) throws IOException {
        Optional<QuotaCount> next = QuotaCount.all(state.rows()).stream().findFirst();
        if (next.isPresent()) {
            Optional<QuotaUse> missing = state.ask(view -> QuotaCounting.missing(
                    view.rows(), view.namespace(), next.get().directory()));
            boolean unused = Waiting.on(writer.submit(transaction -> {
                transaction.quotas().counted(next.get(), missing);
                return true;
            }));
        }
        return next.isPresent();
    }
}
