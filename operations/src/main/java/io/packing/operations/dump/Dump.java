// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.table.Waiting;
import io.packing.blob.FilePath;
import io.packing.operations.walk.TreeWalk;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/** Writes what is at a path of a mount and below it. One thread asks the master while another one writes. */
public final class Dump {
    private static final int BATCH = 1_000;
    private static final int MOST_BATCHES = 8;

    private Dump() {}

    /**
     * Dumps a tree.
     *
     * @param out is not closed
     * @param written is told how many entries were written since it was told before
     */
    public static DumpSummary run(Bdt bdt, DumpHeader header, OutputStream out, LongConsumer written)
            throws IOException {
        BlockingQueue<List<DumpedEntry>> batches = new ArrayBlockingQueue<>(MOST_BATCHES);
        ExecutorService walker = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "dump-walk");
            thread.setDaemon(true);
            return thread;
        });
        try (DumpWriter writer = new DumpWriter(out, header)) {
            Future<Boolean> walk = walker.submit(() -> walk(bdt, header, batches));
            while (true) {
                List<DumpedEntry> batch = batches.take();
                if (batch.isEmpty()) {
                    boolean unused = Waiting.on(walk);
                    return writer.finish();
                }
                for (DumpedEntry entry : batch) {
                    writer.add(entry);
                }
                written.accept(batch.size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted in a dump", e);
        } finally {
            walker.shutdownNow();
        }
    }

    /** An empty batch is the end, whatever ended it. */
    private static boolean walk(Bdt bdt, DumpHeader header, BlockingQueue<List<DumpedEntry>> batches)
            throws IOException, InterruptedException {
        Batch batch = new Batch(batches);
        try {
            Map<FilePath, QuotaChange> quotas = DumpedQuotas.of(bdt);
            TreeWalk.located(bdt, header.top(), entry -> {
                // The root's line would make a directory that is always there.
                if (!isRoot(entry.status())) {
                    batch.add(DumpedEntry.of(
                            bdt,
                            entry,
                            Optional.ofNullable(quotas.get(entry.status().path()))));
                }
            });
            batch.send();
            return true;
        } finally {
            batches.put(List.of());
        }
    }

    private static boolean isRoot(FileStatus status) {
        return status.path().isRoot();
    }

    private static final class Batch {
        private final BlockingQueue<List<DumpedEntry>> to;
        private List<DumpedEntry> entries = new ArrayList<>();

        Batch(BlockingQueue<List<DumpedEntry>> to) {
            this.to = to;
        }

        void add(DumpedEntry entry) throws UnavailableException {
            entries.add(entry);
            if (entries.size() == BATCH) {
                send();
            }
        }

        void send() throws UnavailableException {
            if (entries.isEmpty()) {
                return;
            }
            try {
                to.put(entries);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UnavailableException("interrupted in a dump", e);
            }
            entries = new ArrayList<>();
        }
    }
}
