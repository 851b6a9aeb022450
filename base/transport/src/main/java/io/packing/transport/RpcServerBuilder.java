// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A builder of a gRPC server that limits the messages, headers, calls and total bytes that its clients can make it
 * hold.
 */
public final class RpcServerBuilder {
    private static final EarlyHeaders EARLY = new EarlyHeaders();
    private static final int MAX_HEADER_BYTES = 8 << 10;
    /** A relay carries the streams of many workers, and a client has a call for each of its large open files. */
    private static final int MAX_CALLS_PER_CONNECTION = 4_096;

    private static final long IDLE_THREAD_SECONDS = 60;
    /** Shared by all servers of the process, since they share its memory. */
    private static final BytesInFlight IN_FLIGHT = BytesInFlight.ofHeap();

    private static final UnsentAnswers UNSENT = UnsentAnswers.ofHeap();

    private final String host;
    private final int port;
    private final NettyServerBuilder server;
    private final AccessControl access;
    /** Executors of methods that have their own. */
    private final Map<String, Executor> executors = new HashMap<>();

    /**
     * Creates a builder; the server does not listen yet.
     *
     * @param port 0 takes any free one
     * @param messageBytes the largest message that any of the services takes
     * @param access decides which callers may call
     * @throws IllegalArgumentException when other machines could reach the server without TLS, and the operator did not
     *     allow that
     */
    public RpcServerBuilder(String host, int port, int messageBytes, AccessControl access) {
        this.host = host;
        this.port = port;
        this.access = access;
        InetSocketAddress address = new InetSocketAddress(host, port);
        this.server = NettyServerBuilder.forAddress(address, access.credentials(address))
                .maxInboundMessageSize(messageBytes)
                .maxInboundMetadataSize(MAX_HEADER_BYTES)
                .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
                .addStreamTracerFactory(IN_FLIGHT)
                .intercept(UNSENT)
                .permitKeepAliveTime(RpcServer.PERMITTED_KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS);
        access.connections(server);
    }

    /**
     * Adds a service, which should be one of {@link CheckedMessages}.
     *
     * @throws IllegalArgumentException when one of its methods has no entry among the rights
     */
    public RpcServerBuilder service(ServerServiceDefinition service) {
        server.addService(access.guarded(ServerInterceptors.intercept(service, EARLY)));
        return this;
    }

    /**
     * Runs calls on at most this many threads of this server, instead of threads that all servers of the process share.
     */
    public RpcServerBuilder threads(String name, int most) {
        server.executor(newThreads(name, most));
        return this;
    }

    /** Runs calls of a method on at most this many threads of its own, for calls that need much memory. */
    public RpcServerBuilder threads(MethodDescriptor<?, ?> method, String name, int most) {
        executors.put(method.getFullMethodName(), newThreads(name, most));
        return this;
    }

    /**
     * Runs calls of a method on the thread that receives them, for calls that take less time than the wake-up of
     * another thread.
     */
    public RpcServerBuilder inPlace(MethodDescriptor<?, ?> method) {
        executors.put(method.getFullMethodName(), Runnable::run);
        return this;
    }

    private static Executor newThreads(String name, int most) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                most, most, IDLE_THREAD_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        // They end by themselves: a call may still end after its server has.
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Lets clients ping the server even while they have no calls. */
    public RpcServerBuilder keepAliveWithoutCalls() {
        server.permitKeepAliveWithoutCalls(true);
        return this;
    }

    /**
     * Fixes the number of bytes of each call that may arrive before a thread takes them; otherwise it grows with the
     * speed of the connection. {@link BytesInFlight} does not count them yet.
     */
    public RpcServerBuilder window(int bytes) {
        server.flowControlWindow(bytes);
        return this;
    }

    public RpcServer start() throws IOException {
        server.callExecutor(new ServerCallExecutorSupplier() {
            @Override
            public <Q, A> @Nullable Executor getExecutor(ServerCall<Q, A> call, Metadata headers) {
                return executors.get(call.getMethodDescriptor().getFullMethodName());
            }
        });
        return RpcServer.start(server.build(), host + ":" + port);
    }
}
