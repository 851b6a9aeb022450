// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.packing.status.StatusServer;
import io.packing.status.page.StatusPage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The status of a worker for operators: the metrics of all its mounts and its health, at one port. */
final class WorkerStatus implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerStatus.class);

    private final String host;
    private final StatusServer.Health health;
    private final Supplier<StatusPage> page;
    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MeterRegistry metrics;
    private Optional<StatusServer> server = Optional.empty();

    /**
     * @param metrics a second registry, which counts all too
     * @param problem that health reports
     * @param needsRestart the reason why only a restart helps, if one exists
     * @param page makes a page
     */
    WorkerStatus(
            String host,
            MeterRegistry metrics,
            Supplier<Optional<String>> problem,
            Supplier<Optional<String>> needsRestart,
            Supplier<StatusPage> page) {
        this.page = page;
        this.host = host;
        this.health = new StatusServer.Health(problem, needsRestart, List::of);
        this.metrics = new CompositeMeterRegistry(Clock.SYSTEM, List.of(metrics, prometheus));
    }

    /** Returns the registry of the mounts' metrics. */
    MeterRegistry metrics() {
        return metrics;
    }

    /** Serves metrics at the first port that a mount asks for; only warns if the port is not to be had. */
    synchronized void serve(int port) {
        if (port == 0 || server.isPresent()) {
            return;
        }
        try {
            server = Optional.of(StatusServer.start(host, port, prometheus::scrape, health, Optional.of(page.get())));
        } catch (IOException e) {
            LOG.warn("no metrics are served: port {} of {}: {}", port, host, e.getMessage());
        }
    }

    /** Returns the port; -1 when none is served. */
    synchronized int port() {
        return server.map(StatusServer::port).orElse(-1);
    }

    @Override
    public synchronized void close() {
        server.ifPresent(StatusServer::close);
    }
}
