// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A wire to a server that breaks, shortens, silences or slows connections. With one seed, the n-th connection has one
 * fate in every run. Thread-safe.
 */
public final class ToxicWire implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;
    private static final long DELAY_MILLIS = 20;
    /** The time after which a silent connection closes, if its client has not left it. */
    private static final long SILENCE_MILLIS = 500;

    private final URI server;
    private final ServerSocket listener;
    private final Random fates;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong harmed = new AtomicLong();
    private final Object voice = new Object();
    private volatile int percent;
    private volatile boolean parted;
    private volatile boolean silent;

    /**
     * Creates a wire to a server on a free port.
     *
     * @param percent of the connections that are harmed
     */
    public ToxicWire(URI server, int percent, long seed) throws IOException {
        this(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), server, percent, seed);
    }

    /** Creates a wire that listens at a given address. */
    public ToxicWire(InetSocketAddress listen, URI server, int percent, long seed) throws IOException {
        this.server = server;
        this.percent = percent;
        this.fates = new Random(seed);
        this.listener = new ServerSocket();
        listener.bind(listen);
        threads.execute(this::accept);
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /** Changes the percentage of harmed connections. */
    public void harm(int connectionsOfAHundred) {
        percent = connectionsOfAHundred;
    }

    /** Ends all connections and refuses new ones until {@link #join}. */
    public void part() {
        parted = true;
        sockets.forEach(ToxicWire::reset);
    }

    /** Holds all bytes back until {@link #join}, then delivers them. Connections stay, and new ones are accepted. */
    public void silence() {
        silent = true;
    }

    public void join() {
        parted = false;
        synchronized (voice) {
            silent = false;
            voice.notifyAll();
        }
    }

    private void awaitVoice() throws InterruptedException {
        synchronized (voice) {
            while (silent) {
                voice.wait();
            }
        }
    }

    /** Returns the number of connections harmed so far. */
    public long harmed() {
        return harmed.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                sockets.add(client);
                connect(client, Fate.draw(fates, percent));
            } catch (IOException e) {
                // The client has disconnected, or the wire is closed.
            }
        }
    }

    private void connect(Socket client, Fate fate) {
        if (parted) {
            reset(client);
            return;
        }
        try {
            Socket upstream = new Socket(server.getHost(), server.getPort());
            // Small pieces must not wait for an acknowledgement that they would not need without this wire.
            upstream.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            sockets.add(upstream);
            threads.execute(() -> pump(client, upstream, false, fate));
            threads.execute(() -> pump(upstream, client, true, fate));
        } catch (IOException e) {
            // The server does not answer.
            reset(client);
        }
    }

    private void pump(Socket from, Socket to, boolean answers, Fate fate) {
        byte[] buffer = new byte[BUFFER_BYTES];
        long passed = 0;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                awaitVoice();
                int passing = fate.passing(answers, passed, count);
                if (fate.harm() == Fate.Harm.DELAY) {
                    Thread.sleep(DELAY_MILLIS);
                }
                out.write(buffer, 0, passing);
                passed += passing;
                if (passing < count) {
                    harmed.incrementAndGet();
                    end(from, to, fate.harm());
                    return;
                }
            }
        } catch (IOException e) {
            // One side has disconnected; the wire closes both.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void end(Socket from, Socket to, Fate.Harm harm) throws IOException, InterruptedException {
        if (harm == Fate.Harm.HALF_ANSWER) {
            to.shutdownOutput();
            return;
        }
        if (harm == Fate.Harm.SILENCE) {
            Thread.sleep(SILENCE_MILLIS);
        }
        reset(from);
        reset(to);
    }

    /** Ends a connection as a machine does that does not know it. */
    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // The socket is closed already.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        sockets.forEach(ToxicWire::reset);
        threads.shutdownNow();
    }
}
