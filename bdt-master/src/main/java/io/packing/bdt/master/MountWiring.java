// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.CompactionOrder;
import io.packing.bdt.Durability;
import io.packing.bdt.PathPatterns;
import io.packing.bdt.SharedMountOptions;
import io.packing.bdt.master.cloud.DiskCheck;
import io.packing.bdt.master.cloud.JournalBarrier;
import io.packing.bdt.master.cloud.KeptMountOptions;
import io.packing.bdt.master.cloud.MountKeys;
import io.packing.bdt.master.cloud.MountLease;
import io.packing.bdt.master.cloud.MountPlaces;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.Uploader;
import io.packing.bdt.master.log.BatchStore;
import io.packing.bdt.master.log.MountWriter;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.TableState;
import io.packing.bdt.master.table.change.BatchRule;
import io.packing.bdt.master.table.operation.DirectoryHistories;
import io.packing.bdt.master.table.row.HistoryRow;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.bdt.master.upkeep.Upkeep;
import io.packing.durable.OwnerOnly;
import io.packing.options.PriceTable;
import io.packing.sorted.DiskFullException;
import io.packing.sorted.SortedStore;
import io.packing.spans.Spans;
import io.packing.store.ObjectStore;
import io.packing.store.RequestMeter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;

/** The wiring of one mount: {@link #wire} makes its parts and connects them, and starts none of them. */
final class MountWiring {
    private final BdtMasterOptions config;
    private final Stores stores;
    private final Clocks clocks;
    private final Spans spans;

    MountWiring(BdtMasterOptions config, Stores stores, Clocks clocks, Spans spans) {
        this.config = config;
        this.stores = stores;
        this.clocks = clocks;
        this.spans = spans;
    }

    /**
     * A mount as a caller asks for it.
     *
     * @param meter of the requests to its store
     * @param places of its objects
     * @param folder on this master's disk
     * @param drive makes the parts of the mount go on
     */
    record Asked(MountRequest request, MountPlaces places, RequestMeter meter, Path folder, MountDrive drive) {
        ObjectStore objects() {
            return places.objects();
        }

        /** Returns the options that the caller may set; a mount of which nothing was set has the defaults. */
        SharedMountOptions named() {
            return request.mayMake() ? request.terms() : SharedMountOptions.NONE;
        }

        /** Returns whether answers have to outlive a loss of power, where the table does not say it. */
        boolean isSynced() {
            return named().get(BdtOptions.DURABILITY) != Durability.BUFFERED;
        }
    }

    /** Returns a mount that waits to be started, or stepped. If that fails, its batches are closed. */
    Mount wire(Asked asked, MountLease lease, BatchStore batches) throws IOException {
        String id = asked.request().id();
        Path scratch = OwnerOnly.directory(asked.folder().resolve("scratch"));
        ExecutorService answers = asked.drive().answers(id);
        SortedStore store = batches.rows();
        try {
            TableState state = TableState.load(store, config.lease().workers(), clocks.nanos(), stores.maps());
            MountWriter writer =
                    new MountWriter(id, batches, state.transaction(), MountWriter.Listener.of(state), answers);
            Table table = new Table(state, asked.drive().mutations(writer), clocks.wall());
            MountKeys keys = new MountKeys(stores.keystore(), clocks.nanos());
            KeptMountOptions terms = KeptMountOptions.load(id, new StoreRows(store), keys, asked.named());
            SharedMountOptions working = terms.working();
            writer.follow(histories(working, new StoreRows(store)));
            if (working.get(BdtOptions.GC_COMPACT_ORDER) == CompactionOrder.LOOKUPS) {
                table.standing().lookups().keep();
            }
            MountStorage storage = new MountStorage(id, table, asked.places(), scratch, keys, spans);
            DiskCheck disk = bytes -> checkSpace(store, bytes);
            Uploader uploader = new Uploader(storage, uploads(working), lease, disk, clocks.nanos());
            Upkeep upkeep = new Upkeep(storage, uploader, upkeep(working, asked), clocks);
            JournalBarrier barrier = uploader.barrier();
            boolean isUploaded = working.durability() == Durability.UPLOADED;
            PathPatterns uploaded = working.uploadedPaths();
            table.answerWhen(
                    vector -> isUploaded ? vector.givesBytes() : vector.givesBytesTo(uploaded), barrier::passed);
            lease.whenLost(why -> {
                writer.stop(why);
                barrier.end(why);
            });
            Mount mount = new Mount(
                    id,
                    asked.request().address(),
                    asked.folder(),
                    table,
                    writer,
                    answers,
                    upkeep,
                    lease,
                    asked.meter(),
                    terms,
                    asked.places());
            if (new StoreRows(store).any(Keys.kind(Keys.SNAPSHOT), Keys.kindEnd(Keys.SNAPSHOT))) {
                mount.doFirst(transaction -> transaction.past().sight().completeNames());
            }
            return mount;
        } catch (IOException | RuntimeException e) {
            answers.shutdown();
            batches.close();
            throw e;
        }
    }

    /** Returns the rule that keeps histories; without any, now or earlier, there is nothing to do. */
    private BatchRule histories(SharedMountOptions working, Rows rows) throws IOException {
        return working.history().isEmpty() && HistoryRow.find(rows).isEmpty()
                ? BatchRule.NONE
                : new DirectoryHistories(working.history(), working.get(BdtOptions.HISTORY_EVERY), rows, clocks.wall());
    }

    /** Refuses a backup that would take the last space of the tables' disk, which the tables need more. */
    private void checkSpace(SortedStore table, long bytes) throws IOException {
        long kept = table.keptFreeBytes();
        if (kept > 0 && spareBytes(kept) < bytes) {
            throw new DiskFullException(
                    "%s: free some space, so that %d bytes stay free".formatted(config.dataDir(), kept));
        }
    }

    /** Returns the free bytes of the tables' disk beyond those that must stay free. */
    long spareBytes(long kept) throws IOException {
        return Files.getFileStore(config.dataDir()).getUsableSpace() - kept;
    }

    private Upkeep.UpkeepOptions upkeep(SharedMountOptions terms, Asked asked) {
        return Upkeep.UpkeepOptions.of(
                terms.get(BdtOptions.GC_INTERVAL),
                terms.get(BdtOptions.GC_GRACE),
                terms.get(BdtOptions.GC_COMPACT_BELOW),
                config.prices()
                        .orElseGet(() -> PriceTable.ofLocation(asked.objects().location())));
    }

    private static Uploader.UploadOptions uploads(SharedMountOptions terms) {
        return new Uploader.UploadOptions(
                terms.get(BdtOptions.BACKUP_INTERVAL),
                terms.get(BdtOptions.BACKUP_MIN_CHANGES),
                terms.get(BdtOptions.JOURNAL_INTERVAL));
    }
}
