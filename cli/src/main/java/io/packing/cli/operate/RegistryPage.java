// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.operate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.packing.status.page.DaemonReport;
import io.packing.status.page.ProcessFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A registry's page, from its metrics.
 *
 * @param uri where it serves
 * @param store the mount that it is over
 */
public record RegistryPage(String uri, String store, MeterRegistry meters, Supplier<Optional<String>> problem) {
    private static final String REQUESTS = "packing.store.requests";

    public DaemonReport report() {
        return new DaemonReport(
                "registry",
                uri,
                List.of(),
                List.of(),
                List.of(requests()),
                facts(),
                List.of(),
                List.of(),
                problem.get(),
                List.of());
    }

    private DaemonReport.RequestRow requests() {
        return new DaemonReport.RequestRow(
                store,
                answered("put"),
                answered("list"),
                answered("get"),
                answered("head"),
                answered("delete"),
                count(REQUESTS, "outcome", "throttled"),
                count(REQUESTS, "outcome", "failed"),
                Optional.empty());
    }

    private long answered(String kind) {
        return Math.round(meters.find(REQUESTS).tags("kind", kind, "outcome", "ok").counters().stream()
                .mapToDouble(Counter::count)
                .sum());
    }

    private long count(String name, String... tags) {
        return Math.round(meters.find(name).tags(tags).counters().stream()
                .mapToDouble(Counter::count)
                .sum());
    }

    private List<DaemonReport.Fact> facts() {
        List<DaemonReport.Fact> facts = new ArrayList<>(ProcessFacts.of(List.of()));
        facts.add(number("requests", count("packing.registry.requests")));
        facts.add(number("bytes sent", count("packing.registry.bytes", "direction", "sent")));
        facts.add(number("bytes received", count("packing.registry.bytes", "direction", "received")));
        facts.add(number("blobs with wrong bytes", count("packing.registry.wrong.bytes")));
        gauge("blobs and manifests that wait", "packing.registry.waiting", facts);
        gauge("bytes in the cache", "packing.registry.cache.bytes", facts);
        for (Timer timer : meters.find("packing.registry.pull").timers()) {
            facts.add(new DaemonReport.Fact(
                    "pulls, " + source(timer),
                    String.format(Locale.ROOT, "%,d, %.0f ms each", timer.count(), timer.mean(TimeUnit.MILLISECONDS))));
        }
        return facts;
    }

    private static String source(Meter meter) {
        String source = meter.getId().getTag("source");
        return source == null ? "" : source;
    }

    private void gauge(String name, String meter, List<DaemonReport.Fact> facts) {
        Gauge gauge = meters.find(meter).gauge();
        if (gauge != null) {
            facts.add(number(name, Math.round(gauge.value())));
        }
    }

    private static DaemonReport.Fact number(String name, long value) {
        return new DaemonReport.Fact(name, String.format(Locale.ROOT, "%,d", value));
    }
}
