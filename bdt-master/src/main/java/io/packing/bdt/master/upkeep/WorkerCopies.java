// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.CopyOrder;
import io.packing.bdt.CopyReport;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.Uploader;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.CompactedBlob;
import io.packing.blob.Extent;
import io.packing.blob.FileVersion;
import io.packing.blob.LiveExtent;
import io.packing.blob.LiveFile;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compactions whose bytes a worker moves (RFC 0032): the master plans, writes the row of the new blob before the worker pushes it, and commits what
 * the worker has copied. It believes of a report what the order asked for. Confined to the upkeep thread.
 */
final class WorkerCopies {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerCopies.class);

    private final String mount;
    private final Table table;
    private final ObjectStore objects;
    private final Uploader uploader;
    private final CopyOrders orders;
    private final Clocks clocks;
    private final OwnBlobs names;
    private final LongConsumer keeps;
    /** The numbers of the order's old blobs, by their names. */
    private Map<String, Long> numbers = Map.of();

    private long lastNumber;
    private boolean vain;

    /**
     * @param names of new blobs
     * @param keeps learns the numbers of blobs of which some bytes could not be copied
     */
    WorkerCopies(
            MountStorage storage,
            Uploader uploader,
            CopyOrders orders,
            OwnBlobs names,
            LongConsumer keeps,
            Clocks clocks) {
        this.keeps = keeps;
        this.mount = storage.mount();
        this.table = storage.table();
        this.objects = storage.objects();
        this.uploader = uploader;
        this.orders = orders;
        this.clocks = clocks;
        this.names = names;
    }

    private void giveUp() {
        orders.fail();
        vain = true;
    }

    /** Returns true, once, if the last order moved nothing: the next pass tries again. */
    boolean wasInVain() {
        boolean was = vain;
        vain = false;
        return was;
    }

    /** Returns true if a worker takes an order. */
    boolean isPossible() {
        return orders.hasTaker();
    }

    /** Returns true while an order is under way. */
    boolean isUnderWay() {
        return orders.state().isPresent();
    }

    /** Drops the order that is under way. What its worker pushes for it is garbage, and has a row. */
    void drop() {
        if (isUnderWay()) {
            LOG.info("mount {}: the copy of sparse blobs by a worker is dropped", mount);
            orders.end();
        }
    }

    /** Orders a worker to copy the first files of some sources, as many as an order has; returns true if these are all. */
    boolean order(List<CompactionPlanner.Source> sources, ToIntFunction<FileVersion> ranks) {
        Map<String, Long> old = new HashMap<>();
        List<CopyOrder.Source> asked = new ArrayList<>();
        int files = 0;
        int extents = 0;
        for (CompactionPlanner.Source source : sources) {
            List<CopyOrder.CopiedFile> some = new ArrayList<>();
            for (LiveFile file : source.files()) {
                if (files == CopyOrder.MOST_FILES || extents >= CopyOrder.MOST_EXTENTS) {
                    break;
                }
                some.add(new CopyOrder.CopiedFile(file.version(), ranks.applyAsInt(file.version()), file.extents()));
                files++;
                extents += file.extents().stream()
                        .mapToInt(each -> 1 + each.ranges().size())
                        .sum();
            }
            if (!some.isEmpty()) {
                old.put(source.name().toString(), source.sparse().number());
                asked.add(new CopyOrder.Source(
                        source.name(), source.sparse().blob().total(), some));
            }
        }
        if (files > 0) {
            numbers = old;
            // No worker has an order of this number from a master that ran before.
            lastNumber = Math.max(lastNumber + 1, clocks.wall().millis());
            orders.give(new CopyOrder(lastNumber, names.timestamp(), false, asked));
        }
        return files == sources.stream().mapToInt(each -> each.files().size()).sum();
    }

    /** Does what the order needs next; returns whether there was anything. */
    boolean step() throws IOException {
        Optional<CopyOrders.State> found = orders.state();
        if (found.isEmpty()) {
            return false;
        }
        CopyOrders.State state = found.get();
        CopyReport report = state.report();
        if (report.state() == CopyReport.State.FAILED) {
            LOG.warn("mount {}: worker {} copied no sparse blobs: {}", mount, state.worker(), report.failure());
            giveUp();
            return true;
        }
        if (state.late()) {
            LOG.warn("mount {}: no worker has copied the sparse blobs in time; the last was {}", mount, state.worker());
            giveUp();
            return true;
        }
        if (report.state() == CopyReport.State.PUSHED) {
            commit(state);
            return true;
        }
        Optional<PushedBlob> made = report.blob();
        if (made.isEmpty() || state.row().map(CopyOrders.Row::name).equals(made.map(PushedBlob::name))) {
            return false;
        }
        addRow(state, made.get());
        return true;
    }

    private void addRow(CopyOrders.State state, PushedBlob blob) throws IOException {
        BlobName name = blob.name();
        if (!name.worker().equals(BlobRow.COMPACTED)
                || name.timestampMicros() != state.order().timestampMicros()
                || blob.length() < name.footerOffset()
                || blob.framing() < 0
                || blob.framing() > blob.length()) {
            LOG.warn("mount {}: worker {} made {}, which its order does not ask for", mount, state.worker(), blob);
            giveUp();
            return;
        }
        uploader.checkOwner();
        long number = Waiting.on(table.writer().submit(t -> {
            t.blobs().pushed(blob);
            t.change().nextPosition();
            return t.blobs().number(name);
        }));
        orders.hasRow(new CopyOrders.Row(name, number));
    }

    private void commit(CopyOrders.State state) throws IOException {
        PushedBlob blob = state.report().blob().orElseThrow();
        Optional<CopyOrders.Row> row = state.row().filter(each -> each.name().equals(blob.name()));
        if (row.isEmpty() || !isThere(row.get(), blob)) {
            LOG.warn("mount {}: worker {} did not push {}", mount, state.worker(), blob.name());
            giveUp();
            return;
        }
        Map<FileVersion, List<CompactedBlob.Move>> moves = moves(state.order(), state.report(), blob.name());
        if (!areDisjoint(moves)) {
            LOG.warn("mount {}: worker {} used bytes of {} twice", mount, state.worker(), blob.name());
            giveUp();
            return;
        }
        uploader.checkOwner();
        List<CompactedBlob.Moved> moved = new ArrayList<>();
        moves.forEach((version, each) -> moved.add(new CompactedBlob.Moved(version, each)));
        int committed = new CompactionCommit(table, numbers, row.get().number()).commit(moved);
        orders.end();
        vain = committed == 0;
        LOG.info(
                "mount {}: {} has {} files of {} sparse blobs, copied by worker {}; {} had changed meanwhile",
                mount,
                blob.name(),
                committed,
                numbers.size(),
                state.worker(),
                moved.size() - committed);
    }

    /** Returns true if the table has the row of a blob still, and the store has the blob. */
    private boolean isThere(CopyOrders.Row row, PushedBlob blob) throws IOException {
        return table.rows()
                        .get(Keys.numbered(Keys.BLOB, row.number()))
                        .map(BlobRow::decode)
                        .filter(each -> each.name().equals(row.name()))
                        .isPresent()
                && objects.head(BlobName.FOLDER + row.name().key())
                        .filter(each -> each.length() == blob.length())
                        .isPresent();
    }

    /** Returns the moves of an order that the report has all copies of. */
    private Map<FileVersion, List<CompactedBlob.Move>> moves(CopyOrder order, CopyReport report, BlobName blob) {
        Map<FileVersion, Map<Long, Extent>> copies = new HashMap<>();
        for (CommittedFile file : report.files()) {
            for (BlobExtent each : file.extents()) {
                if (each.blob().equals(blob) && each.extent().blobEnd() <= blob.footerOffset()) {
                    copies.computeIfAbsent(file.version(), version -> new HashMap<>())
                            .put(each.extent().fileOffset(), each.extent());
                }
            }
        }
        Map<FileVersion, List<CompactedBlob.Move>> moves = new HashMap<>();
        for (CopyOrder.Source source : order.sources()) {
            for (CopyOrder.CopiedFile file : source.files()) {
                Map<Long, Extent> its = copies.getOrDefault(file.version(), Map.of());
                for (LiveExtent live : file.extents()) {
                    List<Extent> to = copies(live, its);
                    if (to.isEmpty()) {
                        keeps.accept(numbers.getOrDefault(source.blob().toString(), 0L));
                    } else {
                        moves.computeIfAbsent(file.version(), version -> new ArrayList<>())
                                .add(new CompactedBlob.Move(source.blob(), live, to));
                    }
                }
            }
        }
        return moves;
    }

    /** Returns the copies of all live bytes of an extent; none: some bytes were not copied. */
    private static List<Extent> copies(LiveExtent live, Map<Long, Extent> copies) {
        Extent from = live.extent();
        List<LiveExtent.Range> ranges =
                live.isCut() ? live.ranges() : List.of(new LiveExtent.Range(from.fileOffset(), from.fileEnd()));
        List<Extent> to = new ArrayList<>();
        for (LiveExtent.Range each : ranges) {
            Extent copy = copies.get(each.start());
            if (copy == null || copy.fileEnd() != each.end() || !hasChecksum(live, copy)) {
                return List.of();
            }
            to.add(copy);
        }
        return to;
    }

    /** Returns true unless bytes that were copied as they are stored have another checksum. */
    private static boolean hasChecksum(LiveExtent live, Extent copy) {
        Extent from = live.extent();
        return live.isCut()
                || from.codec().isEncrypted()
                || copy.codec() != from.codec()
                || copy.storedLength() != from.storedLength()
                || copy.crc32c() == from.crc32c();
    }

    private static boolean areDisjoint(Map<FileVersion, List<CompactedBlob.Move>> moves) {
        List<Extent> all = moves.values().stream()
                .flatMap(List::stream)
                .flatMap(move -> move.to().stream())
                .sorted(Comparator.comparingLong(Extent::blobOffset))
                .toList();
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i - 1).blobEnd() > all.get(i).blobOffset()) {
                return false;
            }
        }
        return true;
    }
}
