// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.packing.durable.DirectoryLock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A gRPC server on a UNIX socket, to which only the user of this process may connect. The socket has its mode before it has its name.
 * Thread-safe.
 */
public final class UnixSocketServer implements AutoCloseable {
    /** The longest path of a socket, in bytes, as Linux has it. */
    private static final int MOST_PATH_BYTES = 107;

    private static final int MOST_MESSAGE_BYTES = 4 << 20;
    private static final int MOST_METADATA_BYTES = 8 << 10;
    private static final int MOST_CALLS = 256;
    private static final long IDLE_THREAD_SECONDS = 60;
    private static final long CALLS_END_SECONDS = 5;

    private final Path socket;
    private final Server server;
    private final ThreadPoolExecutor threads;
    private final EventLoopGroup loops;
    private final DirectoryLock lock;

    private UnixSocketServer(
            Path socket, Server server, ThreadPoolExecutor threads, EventLoopGroup loops, DirectoryLock lock) {
        this.socket = socket;
        this.server = server;
        this.threads = threads;
        this.loops = loops;
        this.lock = lock;
    }

    /**
     * Starts a server. A socket that a killed server left is replaced.
     *
     * @param socket in a directory that is there
     * @param most the most calls at a time
     * @throws IOException when another process serves at the socket, or the system has no such sockets
     */
    public static UnixSocketServer start(Path socket, int most, List<BindableService> services) throws IOException {
        UnixSockets.check();
        Path path = socket.toAbsolutePath().normalize();
        Path above = path.getParent();
        if (above == null || !Files.isDirectory(above)) {
            throw new IOException("%s: the directory of the socket is not there: make it".formatted(path));
        }
        DirectoryLock lock = DirectoryLock.acquire(above, "." + path.getFileName() + ".lock");
        try {
            return bind(path, above, most, services, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static UnixSocketServer bind(
            Path path, Path above, int most, List<BindableService> services, DirectoryLock lock) throws IOException {
        // Other users cannot enter this directory while the socket gets its mode.
        Path hidden = Files.createTempDirectory(
                above, ".s", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path fresh = hidden.resolve("s");
        EventLoopGroup loops = UnixSockets.loops("unix-socket", 2);
        ThreadPoolExecutor threads = threads(most);
        try {
            if (fresh.toString().getBytes(StandardCharsets.UTF_8).length > MOST_PATH_BYTES) {
                throw new IOException("%s: the path of a socket has at most %d bytes, with some for a name beside it"
                        .formatted(path, MOST_PATH_BYTES));
            }
            NettyServerBuilder builder = NettyServerBuilder.forAddress(new DomainSocketAddress(fresh.toFile()))
                    .channelType(EpollServerDomainSocketChannel.class)
                    .bossEventLoopGroup(loops)
                    .workerEventLoopGroup(loops)
                    .executor(threads)
                    .maxInboundMessageSize(MOST_MESSAGE_BYTES)
                    .maxInboundMetadataSize(MOST_METADATA_BYTES)
                    .maxConcurrentCallsPerConnection(MOST_CALLS)
                    .permitKeepAliveWithoutCalls(true)
                    .permitKeepAliveTime(1, TimeUnit.SECONDS);
            services.forEach(builder::addService);
            Server server = builder.build().start();
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new UnixSocketServer(path, server, threads, loops, lock);
        } catch (IOException | RuntimeException e) {
            threads.shutdown();
            UnixSockets.end(loops);
            throw e;
        } finally {
            boolean unused = Files.deleteIfExists(fresh);
            boolean unusedToo = Files.deleteIfExists(hidden);
        }
    }

    private static ThreadPoolExecutor threads(int most) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                most, most, IDLE_THREAD_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "unix-call-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    public Path socket() {
        return socket;
    }

    /** Takes no more calls, lets calls end that do so soon, and cuts off the others. */
    @Override
    public void close() throws IOException {
        try (lock) {
            boolean unused = Files.deleteIfExists(socket);
            server.shutdown();
            try {
                if (!server.awaitTermination(CALLS_END_SECONDS, TimeUnit.SECONDS)) {
                    server.shutdownNow();
                }
            } catch (InterruptedException e) {
                server.shutdownNow();
                Thread.currentThread().interrupt();
            }
            threads.shutdown();
            UnixSockets.end(loops);
        }
    }
}
