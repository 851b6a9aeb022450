// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.master.log.MountWriter;
import io.packing.bdt.master.log.TailedBatches;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.upkeep.LayerMerger;
import io.packing.bdt.master.upkeep.Repacker;
import io.packing.bdt.master.upkeep.UpkeepPart;
import io.packing.options.PriceTable;
import io.packing.store.RequestKind;
import io.packing.store.RequestOutcome;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/** The metrics of a master; docs/metrics.md lists the names. As an interceptor it counts requests. Thread-safe. */
final class MasterMetrics implements ServerInterceptor {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, Counter> received = new ConcurrentHashMap<>();

    private final Optional<PriceTable> prices;
    private final MoveCounts moves = new MoveCounts(registry);

    /** @param prices of the stores; empty: nobody knows what requests cost */
    MasterMetrics(Optional<PriceTable> prices) {
        this.prices = prices;
        Gauge.builder("bdt.heap.used.bytes", Runtime.getRuntime(), r -> r.totalMemory() - r.freeMemory())
                .description("Heap of the JVM that is in use.")
                .strongReference(true)
                .register(registry);
    }

    /** Returns the counters of mount moves. */
    MoveCounts moves() {
        return moves;
    }

    /** Measures how long ago another group of masters said which tokens it has refused. */
    void watchTokens(MasterTokens tokens, String group) {
        Gauge.builder(
                        "bdt.token.group.silent.seconds",
                        tokens,
                        of -> of.silence(group).toMillis() / 1e3)
                .description("How long ago another group of masters said which tokens it has issued and refused.")
                .tag("group", group)
                .strongReference(true)
                .register(registry);
    }

    /** Measures the group of masters that this one is of. */
    void watch(MasterGroup group) {
        standing(group, "leads", "1 while this master leads its group and answers.", now -> now.leads() ? 1 : 0);
        standing(group, "term", "Elections so far.", MasterGroup.GroupStanding::term);
        standing(group, "applied", "Entries of the log that the tables have.", MasterGroup.GroupStanding::applied);
        standing(group, "members", "Members of the group.", MasterGroup.GroupStanding::members);
        standing(
                group,
                "silent.members",
                "Members that the leader hears nothing of.",
                MasterGroup.GroupStanding::silent);
    }

    private void standing(
            MasterGroup group, String name, String text, ToDoubleFunction<MasterGroup.GroupStanding> value) {
        Gauge.builder("bdt.group." + name, group, of -> value.applyAsDouble(of.standing()))
                .description(text)
                .strongReference(true)
                .register(registry);
    }

    /** Counts calls that were refused before anything of them was read. */
    <T> void watchRefusals(String why, T by, ToDoubleFunction<T> refused) {
        FunctionCounter.builder("bdt.refused.requests", by, refused)
                .description(
                        "Calls that were not taken: of a client that calls too often, or while the master is behind.")
                .tag("why", why)
                .register(registry);
    }

    /** Measures a mount that was opened. */
    void watch(Mount mount) {
        statistic(mount, "files", "Files.", BdtStatistics::files);
        statistic(mount, "directories", "Directories.", BdtStatistics::directories);
        statistic(mount, "buffered.files", "Files that are in no blob yet.", BdtStatistics::bufferedFiles);
        statistic(mount, "lost.files", "Files whose worker came back without them.", BdtStatistics::lostFiles);
        statistic(mount, "lost.bytes", "Bytes of these files.", BdtStatistics::lostBytes);
        statistic(
                mount,
                "missing.files",
                "Files that no worker has come back with since a recovery.",
                BdtStatistics::missingFiles);
        gauge(mount, "unread.objects", "Objects that recoveries could not read.", UnreadObjects::count);
        gauge(mount, "without.workers.seconds", "For how long a mount misses its workers.", MasterMetrics::silence);
        statistic(mount, "packed.bytes", "Bytes of the files that are in blobs.", BdtStatistics::packedBytes);
        statistic(mount, "blobs", "Blobs.", BdtStatistics::blobs);
        statistic(mount, "blob.bytes", "Bytes of the blobs.", BdtStatistics::blobBytes);
        statistic(mount, "dead.bytes", "Bytes in blobs that no file has any more.", BdtStatistics::deadBytes);
        gauge(mount, "log.position", "Mutations so far.", Table::position);
        watchRepacking(mount, "fragments", "Fragments of files that were joined.", Repacker::fragments);
        watchRepacking(mount, "bytes", "Bytes of the blobs with joined fragments.", Repacker::bytes);
        FunctionCounter.builder("bdt.merged.references", mount.upkeep().layers(), LayerMerger::moved)
                .description("References of maps that were moved to the layer below.")
                .tag("mount", mount.id())
                .register(registry);
        watchBytes(mount, "log", "Bytes of the rows that changes wrote.", TailedBatches::logBytes);
        watchBytes(mount, "journal", "Bytes of journal entries among them.", TailedBatches::journalBytes);
        Gauge.builder("bdt.queue.filled", mount.writer(), MountWriter::filled)
                .description("How full the queue of changes is, from 0 to 1.")
                .tag("mount", mount.id())
                .strongReference(true)
                .register(registry);
        gauge(mount, "live.workers", "Workers whose heartbeats come.", MasterMetrics::liveWorkers);
        FunctionCounter.builder("bdt.account.errors", mount.writer(), MountWriter::accountErrors)
                .description("Blobs whose live bytes were counted wrong.")
                .tag("mount", mount.id())
                .register(registry);
        gauge(mount, "oldest.buffered.seconds", "How long the oldest file waits for the store.", MasterMetrics::oldest);
        watchRequests(mount);
        mount.upkeep().parts().forEach(part -> watch(mount, part));
    }

    private void watchRepacking(Mount mount, String of, String text, ToDoubleFunction<Repacker> value) {
        FunctionCounter.builder("bdt.repacked." + of, mount.upkeep().repacker(), value)
                .description(text)
                .tag("mount", mount.id())
                .register(registry);
    }

    private void watchBytes(Mount mount, String of, String text, ToDoubleFunction<TailedBatches> value) {
        FunctionCounter.builder("bdt." + of + ".bytes", mount.writer().batches(), value)
                .description(text)
                .tag("mount", mount.id())
                .register(registry);
    }

    private void watchRequests(Mount mount) {
        for (RequestKind kind : RequestKind.values()) {
            for (RequestOutcome outcome : RequestOutcome.values()) {
                FunctionCounter.builder("bdt.store.requests", mount.meter(), meter -> meter.count(kind, outcome))
                        .description("Attempts of the master at the backing store.")
                        .tag("mount", mount.id())
                        .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                        .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                        .register(registry);
            }
        }
        prices.ifPresent(table -> {
            dollars(mount, "master", each -> each.meter().snapshot().dollars(table));
            dollars(mount, "workers", each -> dollars(each.table().workerRequests(), table));
        });
    }

    private void dollars(Mount mount, String by, ToDoubleFunction<Mount> value) {
        FunctionCounter.builder("bdt.store.dollars", mount, value)
                .description("What the answered requests cost.")
                .tag("mount", mount.id())
                .tag("by", by)
                .register(registry);
    }

    private static double dollars(StoreRequests requests, PriceTable prices) {
        return prices.requests(requests.puts(), requests.lists(), requests.gets(), requests.heads());
    }

    private static double silence(Table table) {
        return table.standing()
                .withoutWorkers()
                .map(time -> time.toMillis() / 1e3)
                .orElse(0.0);
    }

    private static double oldest(Table table) {
        return table.workers().stream()
                        .mapToLong(worker -> worker.activity().oldestMillis())
                        .max()
                        .orElse(0)
                / 1e3;
    }

    private void watch(Mount mount, UpkeepPart part) {
        Gauge.builder("bdt.upkeep.failing.seconds", part, MasterMetrics::failingSeconds)
                .description("For how long background work has failed; 0 when the last try succeeded.")
                .tag("mount", mount.id())
                .tag("part", part.name())
                .strongReference(true)
                .register(registry);
        FunctionCounter.builder("bdt.upkeep.failures", part, UpkeepPart::failures)
                .description("Failures of background work.")
                .tag("mount", mount.id())
                .tag("part", part.name())
                .register(registry);
    }

    private static double failingSeconds(UpkeepPart part) {
        return part.trouble().map(trouble -> trouble.since().toMillis() / 1e3).orElse(0.0);
    }

    /** Ends the measuring of a mount. */
    void forget(Mount mount) {
        registry.getMeters().stream()
                .filter(meter -> mount.id().equals(meter.getId().getTag("mount")))
                .forEach(registry::remove);
    }

    private static double liveWorkers(Table table) {
        return table.workers().size();
    }

    private void statistic(Mount mount, String name, String text, ToDoubleFunction<BdtStatistics> value) {
        gauge(mount, name, text, table -> value.applyAsDouble(table.statistics()));
    }

    private void gauge(Mount mount, String name, String text, ToDoubleFunction<Table> value) {
        Gauge.builder("bdt." + name, mount.table(), value)
                .description(text)
                .tag("mount", mount.id())
                .strongReference(true)
                .register(registry);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String method = String.valueOf(call.getMethodDescriptor().getBareMethodName());
        Counter count = received.computeIfAbsent(method, this::counter);
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            @Override
            public void onMessage(Q message) {
                count.increment();
                super.onMessage(message);
            }
        };
    }

    private Counter counter(String method) {
        return Counter.builder("bdt.requests")
                .description("Requests that came; of a stream each message is one.")
                .tag("method", method)
                .register(registry);
    }

    /** All of it in Prometheus' text form. */
    String scrape() {
        return registry.scrape();
    }
}
