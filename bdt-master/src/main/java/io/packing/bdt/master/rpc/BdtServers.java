package io.packing.bdt.master.rpc;

import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.BytesInFlight;
import io.packing.bdt.rpc.MessageLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Starts the gRPC server of a master: the BDT protocol and the standard health service. */
public final class BdtServers {
    private static final int MAX_HEADER_BYTES = 8 << 10;
    /** A relay carries the calls of many workers, with a stream of claims for each of their mounts. */
    private static final int MAX_CALLS_PER_CONNECTION = 4_096;

    private BdtServers() {}

    public static Server start(String host, int port, BdtService service, MasterHealth health) throws IOException {
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
                    .callExecutor(new ClaimsInPlace())
                    .maxInboundMessageSize(MessageLimits.BDT.mostBytes())
                    .maxInboundMetadataSize(MAX_HEADER_BYTES)
                    .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
                    .addStreamTracerFactory(BytesInFlight.ofHeap())
                    .permitKeepAliveTime(10, TimeUnit.SECONDS)
                    .permitKeepAliveWithoutCalls(true)
                    .addService(service)
                    .addService(health.service())
                    .build()
                    .start();
        } catch (IOException e) {
            executor.shutdown();
            throw new IOException(
                    "cannot listen on %s:%d: %s".formatted(host, port, String.valueOf(e.getMessage())), e);
        }
    }

    /**
     * Claims are only queued for the writer, which the thread that brings them can do itself; it waits as everybody
     * does while that queue is full. All other calls take the server's executor.
     */
    private static final class ClaimsInPlace implements ServerCallExecutorSupplier {
        @Override
        public <Q, R> @Nullable Executor getExecutor(ServerCall<Q, R> call, Metadata metadata) {
            String method = call.getMethodDescriptor().getFullMethodName();
            return method.equals(BdtGrpc.getClaimsMethod().getFullMethodName()) ? Runnable::run : null;
        }
    }
}
