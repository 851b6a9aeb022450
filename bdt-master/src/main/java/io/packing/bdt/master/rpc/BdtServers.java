package io.packing.bdt.master.rpc;

import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.transport.RpcServer;
import io.packing.transport.RpcServerBuilder;
import java.io.IOException;

/** Starts the gRPC server of a master: the BDT protocol and the standard health service. */
public final class BdtServers {
    private BdtServers() {}

    public static RpcServer start(String host, int port, BdtService service, MasterHealth health) throws IOException {
        int threads = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
        return new RpcServerBuilder(host, port, BdtLimits.LIMITS.mostBytes())
                .threads("bdt-rpc", threads)
                // Claims are only queued for the writer; who brings them waits as everybody does while that queue is
                // full.
                .inPlace(BdtGrpc.getClaimsMethod())
                .keepAliveWithoutCalls()
                .service(service.bindService())
                .service(health.service())
                .start();
    }
}
