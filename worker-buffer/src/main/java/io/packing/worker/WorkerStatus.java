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

/** What a worker tells operators: the metrics of all its mounts and its health, at one port. */
final class WorkerStatus implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerStatus.class);

    private final String host;
    private final StatusServer.Health health;
    private final Supplier<StatusPage> page;
    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MeterRegistry metrics;
    private Optional<StatusServer> server = Optional.empty();

    /**
     * @param metrics where everything is counted, too
     * @param problem what health says
     * @param needsRestart why only a restart helps, if it is so
     * @param page begins one
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

    /** Where mounts count. */
    MeterRegistry metrics() {
        return metrics;
    }

    /** The first who asks for a port has it served; packing goes on when the port cannot be had. */
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

    /** The port; -1 when there is none. */
    synchronized int port() {
        return server.map(StatusServer::port).orElse(-1);
    }

    @Override
    public synchronized void close() {
        server.ifPresent(StatusServer::close);
    }
}
