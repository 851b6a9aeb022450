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

/** Makes a gRPC server that limits what its clients can make it hold: messages, headers, calls, and bytes in all. */
public final class RpcServerBuilder {
    private static final EarlyHeaders EARLY = new EarlyHeaders();
    private static final int MAX_HEADER_BYTES = 8 << 10;
    /** A relay carries the streams of many workers, and a client has a call for each large file that it has open. */
    private static final int MAX_CALLS_PER_CONNECTION = 4_096;

    private static final long IDLE_THREAD_SECONDS = 60;
    /** Of all servers of the process: they share its memory. */
    private static final BytesInFlight IN_FLIGHT = BytesInFlight.ofHeap();

    private static final UnsentAnswers UNSENT = UnsentAnswers.ofHeap();

    private final String host;
    private final int port;
    private final NettyServerBuilder server;
    private final AccessControl access;
    /** Of the calls of some methods. */
    private final Map<String, Executor> executors = new HashMap<>();

    /**
     * Does not listen yet.
     *
     * @param port 0 takes a free one
     * @param messageBytes of the largest message that any of the services takes
     * @param access who may call
     * @throws IllegalArgumentException when the server would be open to other machines without anybody having said so
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
     * @throws IllegalArgumentException when nobody said who may call one of its methods
     */
    public RpcServerBuilder service(ServerServiceDefinition service) {
        server.addService(access.guarded(ServerInterceptors.intercept(service, EARLY)));
        return this;
    }

    /** Calls run on threads of this server, no more than so many, not on those that all servers of the process share. */
    public RpcServerBuilder threads(String name, int most) {
        server.executor(newThreads(name, most));
        return this;
    }

    /** Calls of a method run on threads of its own, no more than so many: for what takes much memory while it runs. */
    public RpcServerBuilder threads(MethodDescriptor<?, ?> method, String name, int most) {
        executors.put(method.getFullMethodName(), newThreads(name, most));
        return this;
    }

    /** Calls of a method run on the thread that brings them: for what is done sooner than another thread wakes up. */
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
        // Nobody has to stop them: a call may still end after its server has.
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Lets clients ask whether the server is there also while they have no calls. */
    public RpcServerBuilder keepAliveWithoutCalls() {
        server.permitKeepAliveWithoutCalls(true);
        return this;
    }

    /**
     * Fixes how many bytes of each call may arrive before a thread takes them, which are otherwise more the faster the connection is.
     * {@link BytesInFlight} does not see them yet.
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
