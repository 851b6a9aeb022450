// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import io.micrometer.core.instrument.MeterRegistry;
import io.packing.s3gateway.http.S3RequestListener;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The requests of a gateway by method and status. Thread-safe. */
final class S3GatewayMetrics implements S3RequestListener {
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "PUT", "POST", "DELETE");

    private final MeterRegistry meters;

    S3GatewayMetrics(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void answered(String method, int status, long nanos) {
        // A client must not make as many meters as there are words.
        String known = METHODS.contains(method) ? method : "other";
        meters.timer("packing.s3.request", "method", known, "status", Integer.toString(status))
                .record(nanos, TimeUnit.NANOSECONDS);
    }
}
