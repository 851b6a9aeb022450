// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.bdt.StoreRequests;
import io.packing.bdt.WorkerActivity;
import io.packing.status.page.DaemonReport;
import io.packing.status.page.DaemonReport.Fact;
import io.packing.status.page.DaemonReport.RecoveryRow;
import io.packing.status.page.DaemonReport.RequestRow;
import io.packing.status.page.DaemonReport.SlowWork;
import io.packing.status.page.DaemonReport.WorkerRow;
import io.packing.worker.pack.ActiveWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The figures of a worker's mounts on its status page. */
final class WorkerPage {
    /** The time from which the page lists a seal or a push as slow. */
    private static final Duration LONG = Duration.ofSeconds(1);

    private final String worker;
    private final String host;
    private final PeerMounts mounts;
    private final Supplier<List<Fact>> facts;
    private final Supplier<Optional<String>> problem;

    /**
     * @param facts about the process
     * @param problem that health reports
     */
    WorkerPage(
            String worker,
            String host,
            PeerMounts mounts,
            Supplier<List<Fact>> facts,
            Supplier<Optional<String>> problem) {
        this.facts = facts;
        this.worker = worker;
        this.host = host;
        this.mounts = mounts;
        this.problem = problem;
    }

    DaemonReport report() {
        List<WorkerRow> rows = new ArrayList<>();
        List<RequestRow> requests = new ArrayList<>();
        List<SlowWork> slow = new ArrayList<>();
        for (LocalMount mount : mounts.open()) {
            LocalMount.State state = mount.state();
            WorkerActivity activity = state.activity();
            String store = mount.options().store().location().text();
            rows.add(row(store, state));
            requests.add(row(store, activity.requests()));
            slow(store, state, slow);
        }
        slow.sort(Comparator.comparingDouble(SlowWork::seconds).reversed());
        return new DaemonReport(
                "worker",
                worker,
                List.of(),
                rows,
                requests,
                facts.get(),
                slow,
                mounts.openings().stream()
                        .map(opening -> new RecoveryRow(
                                opening, "reads its buffer, and reports its files to the master", 0, -1, 0))
                        .toList(),
                problem.get(),
                List.of());
    }

    private WorkerRow row(String store, LocalMount.State state) {
        WorkerActivity activity = state.activity();
        return new WorkerRow(
                store,
                worker,
                host,
                0,
                state.bufferedFiles(),
                state.bufferedBytes(),
                activity.oldestMillis() / 1e3,
                activity.pushedFiles(),
                activity.pushedBytes(),
                activity.requests().puts(),
                activity.requests().throttled());
    }

    private static RequestRow row(String store, StoreRequests asked) {
        return new RequestRow(
                store,
                asked.puts(),
                asked.lists(),
                asked.gets(),
                asked.heads(),
                asked.deletes(),
                asked.throttled(),
                asked.failed(),
                Optional.empty());
    }

    private static void slow(String store, LocalMount.State state, List<SlowWork> slow) {
        for (ActiveWork.Work work : state.underWay()) {
            if (work.time().compareTo(LONG) >= 0) {
                slow.add(new SlowWork(store, work.what(), why(work), seconds(work.time())));
            }
        }
        double oldest = state.activity().oldestMillis() / 1e3;
        double promised = seconds(state.promised());
        if (oldest > promised + seconds(LONG)) {
            slow.add(new SlowWork(
                    store,
                    "the oldest file waits",
                    "longer than packing.seal.after (%.0f s): pushes do not keep up".formatted(promised),
                    oldest));
        }
        if (state.waitingCreators() > 0) {
            slow.add(new SlowWork(
                    store,
                    "%d creators wait for room".formatted(state.waitingCreators()),
                    "the buffer is full, and pushes do not keep up",
                    oldest));
        }
    }

    private static String why(ActiveWork.Work work) {
        List<String> reasons = new ArrayList<>();
        if (work.refused() > 0) {
            reasons.add("the store refused %d requests since it began".formatted(work.refused()));
        }
        if (work.failed() > 0) {
            reasons.add("%d requests failed since it began".formatted(work.failed()));
        }
        return reasons.isEmpty() ? "no request was refused or failed since it began" : String.join("; ", reasons);
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1e3;
    }
}
