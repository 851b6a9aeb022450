package io.packing.registry;

import io.micrometer.core.instrument.MeterRegistry;
import io.packing.registry.dedup.DedupCase;
import io.packing.registry.http.RequestListener;

/** What a registry counts. */
final class RegistryMetrics implements RequestListener {
    private final MeterRegistry meters;

    RegistryMetrics(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void answered(String endpoint, String method, int status) {
        meters.counter(
                        "packing.registry.requests",
                        "endpoint",
                        endpoint,
                        "method",
                        method,
                        "status",
                        status == 0 ? "cut" : Integer.toString(status))
                .increment();
    }

    @Override
    public void wrongBytes() {
        meters.counter("packing.registry.wrong.bytes").increment();
    }

    /** A blob was examined. */
    void examined(DedupCase found) {
        meters.counter("packing.registry.dedup.blobs", "case", found.text()).increment();
    }

    /** A blob could not be examined, and waits for somebody who sweeps. */
    void notExamined(String why) {
        meters.counter("packing.registry.dedup.failures", "reason", why).increment();
    }
}
