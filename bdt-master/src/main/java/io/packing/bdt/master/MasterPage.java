// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.BdtStatistics;
import io.packing.bdt.MountStatus;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.master.table.WrittenDirectories.Written;
import io.packing.bdt.master.upkeep.UpkeepPart;
import io.packing.options.PriceTable;
import io.packing.status.page.DaemonReport;
import io.packing.status.page.DaemonReport.DirectoryRow;
import io.packing.status.page.DaemonReport.Fact;
import io.packing.status.page.DaemonReport.MountRow;
import io.packing.status.page.DaemonReport.RecoveryRow;
import io.packing.status.page.DaemonReport.RequestRow;
import io.packing.status.page.DaemonReport.SlowWork;
import io.packing.status.page.DaemonReport.WorkerRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The mounts on a master's status page. */
final class MasterPage {
    /** From when on a step of background work takes long. */
    private static final Duration LONG = Duration.ofSeconds(1);

    private final String name;
    private final OpenMounts mounts;
    private final Supplier<List<Fact>> facts;
    private final Supplier<Optional<String>> problem;
    private final Optional<PriceTable> prices;

    /**
     * @param name where the master answers
     * @param prices of the stores; empty: nobody knows what requests cost
     * @param facts about the process
     * @param problem why an operator must see to the master
     */
    MasterPage(
            String name,
            OpenMounts mounts,
            Optional<PriceTable> prices,
            Supplier<List<Fact>> facts,
            Supplier<Optional<String>> problem) {
        this.facts = facts;
        this.problem = problem;
        this.name = name;
        this.mounts = mounts;
        this.prices = prices;
    }

    DaemonReport report() {
        List<MountRow> rows = new ArrayList<>();
        List<WorkerRow> workers = new ArrayList<>();
        StoreRequests own = StoreRequests.NONE;
        StoreRequests others = StoreRequests.NONE;
        for (MountStatus status : mounts.status()) {
            rows.add(row(status));
            status.workers().forEach(worker -> workers.add(row(status.store(), worker)));
            own = own.plus(status.masterRequests());
            others = others.plus(status.workerRequests());
        }
        return new DaemonReport(
                "BDT master",
                name,
                rows,
                workers,
                List.of(row("master", own), row("workers", others)),
                directories(),
                facts.get(),
                slow(),
                recoveries(),
                problem.get(),
                mounts.notes());
    }

    private List<DirectoryRow> directories() {
        List<DirectoryRow> rows = new ArrayList<>();
        for (Mount mount : mounts.all()) {
            MountStatus status = mount.status();
            Map<String, Written> written =
                    mount.table().standing().directories().now();
            StoreRequests asked = status.masterRequests().plus(status.workerRequests());
            long bytes = written.values().stream().mapToLong(Written::bytes).sum();
            written.forEach((directory, of) -> {
                double share = bytes == 0 ? 0 : (double) of.bytes() / bytes;
                rows.add(new DirectoryRow(
                        status.store(),
                        directory,
                        of.files(),
                        of.bytes(),
                        share * asked.puts(),
                        dollars(asked).map(sum -> share * sum),
                        prices.map(table -> table.requests(of.files(), 0, 0, 0))));
            });
        }
        return rows;
    }

    private MountRow row(MountStatus status) {
        BdtStatistics totals = status.statistics();
        return new MountRow(
                status.mount(),
                status.store(),
                totals.files(),
                totals.directories(),
                totals.bufferedFiles(),
                totals.lostFiles() + totals.missingFiles(),
                totals.blobs(),
                totals.packedBytes(),
                totals.blobBytes(),
                totals.deadBytes(),
                status.workers().stream()
                                .mapToLong(worker -> worker.activity().oldestMillis())
                                .max()
                                .orElse(0)
                        / 1e3,
                status.workers().size(),
                dollars(status.masterRequests().plus(status.workerRequests())),
                status.problem());
    }

    private static WorkerRow row(String store, WorkerInfo worker) {
        StoreRequests asked = worker.activity().requests();
        return new WorkerRow(
                store,
                worker.worker(),
                worker.address(),
                worker.activity().statusPort(),
                worker.bufferedFiles(),
                worker.bufferedBytes(),
                worker.activity().oldestMillis() / 1e3,
                worker.activity().pushedFiles(),
                worker.activity().pushedBytes(),
                asked.puts(),
                asked.throttled());
    }

    private RequestRow row(String by, StoreRequests requests) {
        return new RequestRow(
                by,
                requests.puts(),
                requests.lists(),
                requests.gets(),
                requests.heads(),
                requests.deletes(),
                requests.throttled(),
                requests.failed(),
                dollars(requests));
    }

    private Optional<Double> dollars(StoreRequests requests) {
        return prices.map(
                table -> table.requests(requests.puts(), requests.lists(), requests.gets(), requests.heads()));
    }

    private List<SlowWork> slow() {
        List<SlowWork> slow = new ArrayList<>();
        for (Mount mount : mounts.all()) {
            for (UpkeepPart part : mount.upkeep().parts()) {
                part.underWay()
                        .filter(time -> time.compareTo(LONG) >= 0)
                        .ifPresent(time -> slow.add(new SlowWork(
                                mount.address().location().text(), part.name(), why(mount, part), seconds(time))));
            }
        }
        slow.sort(Comparator.comparingDouble(SlowWork::seconds).reversed());
        return slow;
    }

    private static String why(Mount mount, UpkeepPart part) {
        long refused = mount.meter().snapshot().throttled();
        return part.trouble()
                .map(UpkeepPart.Trouble::toString)
                .orElse(refused > 0 ? "the store has refused %d requests so far".formatted(refused) : "");
    }

    private List<RecoveryRow> recoveries() {
        List<RecoveryRow> rows = new ArrayList<>();
        mounts.openings()
                .forEach((mount, progress) -> rows.add(new RecoveryRow(
                        mount, progress.phase(), progress.done(), progress.total(), seconds(progress.time()))));
        return rows;
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1e3;
    }
}
