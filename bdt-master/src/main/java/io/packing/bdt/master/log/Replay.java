// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import io.packing.bdt.master.table.change.Counters;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings a store up to its log after a restart. */
public final class Replay {
    private static final Logger LOG = LoggerFactory.getLogger(Replay.class);

    private Replay() {}

    /**
     * Writes the rows of every log record that is still there. The log keeps what the store may not have on stable
     * storage, and a power failure may have cost the store entries from the middle: so all are written again, whatever
     * the store says it has.
     */
    public static void run(SortedStore store, MutationLog mutationLog) throws IOException {
        if (mutationLog.last().isEmpty()) {
            return;
        }
        long inStore = store.get(Counters.KEY)
                .map(Counters::decode)
                .map(Counters::position)
                .orElse(0L);
        long inLog = BatchRecord.decode(mutationLog.last().get()).lastPosition();
        // Without syncs the log may have lost more than the store: it must not take the store back.
        if (inLog < inStore || (inLog == inStore && !mutationLog.isSynced())) {
            return;
        }
        long[] records = new long[1];
        mutationLog.replay(payload -> {
            store.write(BatchRecord.decode(payload).rows(), SortedStore.Sync.NONE);
            records[0]++;
        });
        LOG.info("replayed {} log records up to position {}, the store was at {}", records[0], inLog, inStore);
    }
}
