// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.CopyOrder;
import io.packing.bdt.CopyReport;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.master.cloud.MountKeys;
import io.packing.bdt.master.cloud.ObjectSource;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.upkeep.CopyOrders;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobReader;
import io.packing.blob.CompactedBlob;
import io.packing.blob.Extent;
import io.packing.blob.FileVersion;
import io.packing.blob.LiveFile;
import io.packing.blob.PackedFile;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** A worker that carries out orders to copy, one step at a time. It may begin anew at each of them. */
final class ModelCopier {
    private final String name;
    private final MapObjects objects;
    private final Path work;
    private Optional<CopyOrder> order = Optional.empty();
    private CopyReport report = CopyReport.NONE;
    private Optional<CompactedBlob.Verified> made = Optional.empty();
    private Optional<Path> file = Optional.empty();

    ModelCopier(String name, MapObjects objects, Path work) {
        this.name = name;
        this.objects = objects;
        this.work = work;
    }

    /** Ends the process and begins another one. */
    void restart() {
        order = Optional.empty();
        report = CopyReport.NONE;
        made = Optional.empty();
    }

    CopyReport report() {
        return report;
    }

    /** Tells something else in the next heartbeats. */
    void tell(CopyReport other) {
        report = other;
    }

    Optional<CopyOrder> order() {
        return order;
    }

    /** Sends a heartbeat. */
    void beat(CopyOrders orders) {
        orders.admit(name, new Heartbeat(0, 0, List.of(), List.of()).copying(report));
        HeartbeatReply reply =
                orders.tell(name, new HeartbeatReply(Duration.ofSeconds(10), false, false, List.of(), List.of()));
        if (reply.copy().isEmpty()) {
            restart();
        } else if (order.isEmpty() || order.get().number() != reply.copy().get().number()) {
            restart();
            order = reply.copy().filter(each -> !each.sources().isEmpty());
            order.ifPresent(each ->
                    report = new CopyReport(each.number(), CopyReport.State.WORKING, Optional.empty(), List.of(), ""));
        } else if (reply.copy().get().push()) {
            order = order.map(CopyOrder::mayPush);
        }
    }

    /** Makes the blob, or pushes it, whatever is next. */
    void work() throws IOException {
        if (order.isPresent() && report.state() == CopyReport.State.WORKING) {
            make(order.get());
        } else if (order.isPresent()
                && report.state() == CopyReport.State.BUILT
                && order.get().push()) {
            push(order.get());
        }
    }

    private void make(CopyOrder from) throws IOException {
        Path to = Files.createTempFile(work, "copy", "");
        Path waiting = Files.createTempFile(work, "waiting", "");
        file = Optional.of(to);
        try (FileChannel channel = FileChannel.open(to, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileChannel bytes = FileChannel.open(waiting, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            CompactedBlob blob =
                    new CompactedBlob(channel, bytes, 1, MountKeys.none().ofBlobs(), (path, why, damage) -> {});
            Map<FileVersion, CopyOrder.CopiedFile> asked = new HashMap<>();
            for (CopyOrder.Source source : from.sources()) {
                ObjectSource old = new ObjectSource(
                        objects, BlobName.FOLDER + source.blob().key(), source.length());
                BlobReader reader = BlobReader.open(old, source.blob().footerOffset());
                List<LiveFile> live = new ArrayList<>();
                Map<FileVersion, CopyOrder.CopiedFile> its = new HashMap<>();
                source.files().forEach(each -> its.put(each.version(), each));
                for (PackedFile each : reader.footer()) {
                    if (its.containsKey(each.version())) {
                        live.add(new LiveFile(each, its.get(each.version()).extents()));
                    }
                }
                asked.putAll(its);
                boolean unused = blob.add(source.blob(), old, reader, live);
            }
            made = Optional.of(blob.finish(
                    "copy",
                    version -> Objects.requireNonNull(asked.get(version)).rank()));
            report = new CopyReport(from.number(), CopyReport.State.BUILT, Optional.of(pushed(from)), List.of(), "");
        } catch (IOException e) {
            report = new CopyReport(
                    from.number(), CopyReport.State.FAILED, Optional.empty(), List.of(), String.valueOf(e));
        }
    }

    private PushedBlob pushed(CopyOrder by) {
        CompactedBlob.Verified blob = made.orElseThrow();
        return new PushedBlob(
                new BlobName(BlobRow.COMPACTED, blob.blob().footerOffset(), by.timestampMicros()),
                blob.blob().length(),
                blob.blob().framing());
    }

    private void push(CopyOrder by) throws IOException {
        PushedBlob pushed = pushed(by);
        String key = BlobName.FOLDER + pushed.name().key();
        if (objects.keys(key).isEmpty()) {
            objects.put(
                    key, file.orElseThrow(), OptionalInt.of(made.orElseThrow().crc32c()), PutCondition.IF_ABSENT);
        }
        report = new CopyReport(by.number(), CopyReport.State.PUSHED, Optional.of(pushed), copies(pushed), "");
    }

    private List<CommittedFile> copies(PushedBlob pushed) {
        return made.orElseThrow().moved().stream()
                .map(moved -> new CommittedFile(
                        moved.version(),
                        moved.copies().stream()
                                .map((Extent extent) -> new BlobExtent(pushed.name(), extent))
                                .toList()))
                .toList();
    }
}
