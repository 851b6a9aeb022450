package io.packing.bdt.master;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts the gRPC server of a master: the BDT protocol and the standard health service. */
final class BdtServers {
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private BdtServers() {}

    static Server start(String host, int port, BdtMaster master) throws IOException {
        AtomicInteger number = new AtomicInteger();
        int threads = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
        ExecutorService executor = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "bdt-rpc-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        try {
            return NettyServerBuilder.forAddress(new InetSocketAddress(host, port))
                    .executor(executor)
                    .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                    .permitKeepAliveTime(10, TimeUnit.SECONDS)
                    .permitKeepAliveWithoutCalls(true)
                    .addService(new BdtService(master))
                    .addService(new HealthStatusManager().getHealthService())
                    .build()
                    .start();
        } catch (IOException e) {
            executor.shutdown();
            throw new IOException(
                    "cannot listen on %s:%d: %s".formatted(host, port, String.valueOf(e.getMessage())), e);
        }
    }
}
