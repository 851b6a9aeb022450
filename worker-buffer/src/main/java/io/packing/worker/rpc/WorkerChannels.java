// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.packing.transport.Channels;
import io.packing.transport.ConnectionOptions;
import io.packing.transport.Security;
import io.packing.transport.SilenceDetector;
import io.packing.transport.SilentServerWatch;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel to each worker. A worker that is stopped or cut off breaks no connection. So the client asks a silent
 * worker that owes answers for a sign of life, and ends all calls to it without one. An answer may take as long as an
 * upload, but a live worker answers the question at once. Thread-safe.
 */
final class WorkerChannels implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerChannels.class);
    private static final ConnectionOptions CONNECTION = new ConnectionOptions(
            PeerServer.MAX_MESSAGE_BYTES, Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(20));
    /** A version that no worker buffers: a request for it asks for a sign of life. */
    private static final long NO_FILE = Long.MAX_VALUE;

    private final Security security;
    private final Duration patience;
    private final Map<String, WorkerChannel> ways = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "packing-workers");
        thread.setDaemon(true);
        return thread;
    });
    private final SilentServerWatch watch;

    /**
     * The way to a worker.
     *
     * @param calls the channel with the watch on its calls
     * @param asked true while the worker owes a sign of life
     */
    private record WorkerChannel(ManagedChannel channel, Channel calls, SilenceDetector silence, AtomicBoolean asked) {}

    /** @param patience the longest silence of a worker that owes an answer */
    WorkerChannels(Security security, Duration patience, LongSupplier nanoClock) {
        this.security = security;
        this.patience = patience;
        this.watch = new SilentServerWatch(timer, nanoClock);
        watch.add(this::look);
    }

    /** Returns a request that asks a worker of a mount for a sign of life. */
    static ReadRequest question(String mount) {
        return ReadRequest.newBuilder()
                .setMount(mount)
                .setFileId(NO_FILE)
                .setGeneration(NO_FILE)
                .setLength(1)
                .build();
    }

    Channel to(String address) {
        return ways.computeIfAbsent(address, this::connect).calls();
    }

    private WorkerChannel connect(String address) {
        ManagedChannel channel = Channels.open(address, CONNECTION, security);
        SilenceDetector silence = watch.silence();
        return new WorkerChannel(channel, ClientInterceptors.intercept(channel, silence), silence, new AtomicBoolean());
    }

    /** Replaces a failed channel, which would go on failing for up to two minutes even if the worker is back. */
    void renew(String address, Channel failed) {
        WorkerChannel there = ways.get(address);
        if (there != null && there.calls() == failed && ways.replace(address, there, connect(address))) {
            there.channel().shutdown();
        }
    }

    private void look() {
        ways.forEach((address, way) -> {
            if (way.silence().isLongerThan(patience.dividedBy(2)) && way.asked().compareAndSet(false, true)) {
                ask(address, way);
            }
        });
    }

    private void ask(String address, WorkerChannel way) {
        long limit = Math.max(1, patience.dividedBy(2).toMillis());
        PeerGrpc.newStub(way.calls())
                .withDeadlineAfter(limit, TimeUnit.MILLISECONDS)
                .read(question(""), new StreamObserver<>() {
                    @Override
                    public void onNext(ReadChunk value) {}

                    @Override
                    public void onError(Throwable cause) {
                        if (Status.fromThrowable(cause).getCode() == Status.Code.DEADLINE_EXCEEDED) {
                            leave(address, way);
                        } else {
                            way.asked().set(false);
                        }
                    }

                    @Override
                    public void onCompleted() {
                        way.asked().set(false);
                    }
                });
    }

    private void leave(String address, WorkerChannel way) {
        String why = "it has said nothing for %s s"
                .formatted(BigDecimal.valueOf(patience.toMillis(), 3)
                        .stripTrailingZeros()
                        .toPlainString());
        LOG.info("the worker at {} is left: {}", address, why);
        boolean unused = ways.remove(address, way);
        way.silence().end(why);
        way.channel().shutdownNow();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        ways.values().forEach(way -> way.channel().shutdownNow());
    }
}
