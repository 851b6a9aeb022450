// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.rpc.BdtServers;
import io.packing.bdt.master.rpc.LeaderGate;
import io.packing.status.StatusServer;
import io.packing.status.page.ProcessFacts;
import io.packing.status.page.StatusPage;
import io.packing.transport.RpcServer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The servers of a master: gRPC, and metrics with a page when the configuration names a port for them. */
final class MasterServers implements AutoCloseable {
    private final String host;
    private final RpcServer calls;
    private Optional<StatusServer> status = Optional.empty();

    private MasterServers(String host, RpcServer calls) {
        this.host = host;
        this.calls = calls;
    }

    /** Starts the gRPC server. */
    static MasterServers start(BdtMasterOptions config, MasterSite site, BdtServers.Services services)
            throws IOException {
        RpcServer calls = BdtServers.start(
                config.bindHost(),
                config.port(),
                services,
                config.access().security(),
                site.clocks().wall(),
                site.group().map(of -> new LeaderGate(of::leads, of::refusal)));
        return new MasterServers(config.bindHost(), calls);
    }

    /** Tells the group, if there is one, that this master serves. */
    void join(MasterSite site) throws IOException {
        if (site.group().isPresent()) {
            site.group().get().serving(host, port());
        }
    }

    /** Starts the metrics server, if the configuration names a port for it. */
    void showStatus(
            BdtMasterOptions config,
            MasterSite site,
            MasterMetrics metrics,
            OpenMounts mounts,
            StatusServer.Health health)
            throws IOException {
        if (config.metricsPort() < 0) {
            return;
        }
        MasterPage page = new MasterPage(
                host + ":" + port(),
                mounts,
                config.prices(),
                () -> ProcessFacts.of(List.of(config.dataDir())),
                health.problem());
        StatusPage shown =
                new StatusPage(page::report, site.clocks().wall(), site.clocks().nanos());
        status = Optional.of(
                StatusServer.start(host, config.metricsPort(), metrics::scrape, health, Optional.of(shown)));
    }

    /** Returns the port of the gRPC server. */
    int port() {
        return calls.port();
    }

    /** Returns the port of the metrics server, or -1 when there is none. */
    int metricsPort() {
        return status.map(StatusServer::port).orElse(-1);
    }

    /** Waits until the gRPC server has ended. */
    void awaitTermination() throws InterruptedException {
        calls.awaitTermination();
    }

    /** Takes no calls any more. */
    void stopCalls() {
        calls.stop();
    }

    /** Ends the metrics server. */
    @Override
    public void close() {
        status.ifPresent(StatusServer::close);
    }
}
