// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.raw;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;

/**
 * A sequence of connections to each port in turn. A connection's number and the seed determine the bytes and the
 * manner: at once or in pieces, with the answer read or not, cut off or left open. Thread-safe.
 */
public final class PortAttack implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 100;
    private static final int MOST_ANSWER_BYTES = 64 << 10;
    private static final int MOST_IDLE = 100;
    private static final int SHOWN_CHARACTERS = 300;
    private static final int MOST_PIECES = 20;
    /** The length of {@code HTTP/1.1 200}. */
    private static final int STATUS_END = 12;

    /** A receiver of harm. */
    public interface Found {
        /**
         * Notes a harm.
         *
         * @param what description of the harm
         * @param connection the number of the connection
         * @param message sent bytes or answer
         */
        void found(String what, long connection, String message);
    }

    private final List<Port> ports;
    private final Found found;
    private final long seed;
    private final AtomicLong connections = new AtomicLong();
    private final Deque<Socket> idle = new ArrayDeque<>();
    private final Map<String, Long> answers = new TreeMap<>();

    /** Makes an attack on these ports. */
    public PortAttack(List<Port> ports, Found found, long seed) {
        this.ports = List.copyOf(ports);
        this.found = found;
        this.seed = seed;
    }

    /** Counts the connections. */
    public long connections() {
        return connections.get();
    }

    /** Returns the number of answers by kind: a status of HTTP, other bytes, nothing. */
    public Map<String, Long> answers() {
        synchronized (answers) {
            return new TreeMap<>(answers);
        }
    }

    /** Makes one connection. */
    public void step() {
        long number = connections.getAndIncrement();
        SplittableRandom random = new SplittableRandom(seed ^ (number * 0x9E3779B97F4A7C15L));
        Port port = ports.get((int) (number % ports.size()));
        Socket socket;
        try {
            socket = port.connection().open();
        } catch (IOException e) {
            found.found("%s takes no connections: %s".formatted(port.name(), e), number, "");
            return;
        }
        boolean kept = false;
        try {
            // The reset frees the local port at once.
            socket.setSoLinger(true, 0);
            socket.setSoTimeout(PATIENCE_MILLIS);
            byte[] sent =
                    random.nextInt(8) == 0 ? Noise.random(random) : port.noise().bytes(random);
            send(socket.getOutputStream(), sent, random);
            switch (random.nextInt(6)) {
                case 0 -> {
                    // The connection is cut off at once.
                }
                case 1 -> kept = true;
                default -> judge(port, answer(socket.getInputStream()), number);
            }
        } catch (IOException refused) {
            // The server has ended the connection, as it may.
        } finally {
            if (kept) {
                keep(socket);
            } else {
                close(socket);
            }
        }
    }

    private void judge(Port port, String answer, long number) {
        String kind = answer.isEmpty() ? "nothing" : "bytes";
        if (answer.startsWith("HTTP/1.") && answer.length() >= STATUS_END) {
            kind = answer.substring(STATUS_END - 3, STATUS_END);
        }
        synchronized (answers) {
            answers.merge(port.name() + " " + kind, 1L, Long::sum);
        }
        if (port.wrong().test(answer)) {
            String shown = answer.substring(0, Math.min(answer.length(), SHOWN_CHARACTERS));
            String line = shown.lines().findFirst().orElse("");
            found.found("%s answers %s".formatted(port.name(), line), number, shown);
        }
    }

    private static void send(OutputStream to, byte[] bytes, SplittableRandom random) throws IOException {
        int piece = random.nextInt(4) == 0 ? random.nextInt(1, 50) : bytes.length;
        int at = 0;
        for (int sent = 0; at < bytes.length; sent++) {
            int rest = bytes.length - at;
            int length = sent < MOST_PIECES ? Math.min(piece, rest) : rest;
            to.write(bytes, at, length);
            to.flush();
            at += length;
        }
    }

    private static String answer(InputStream from) throws IOException {
        byte[] answer = new byte[MOST_ANSWER_BYTES];
        int length = 0;
        try {
            int read = from.read(answer, 0, answer.length);
            while (read > 0) {
                length += read;
                read = length < answer.length ? from.read(answer, length, answer.length - length) : -1;
            }
        } catch (SocketTimeoutException | SSLException | SocketException nothingMore) {
            // The bytes so far are the answer.
        }
        return new String(answer, 0, length, StandardCharsets.ISO_8859_1);
    }

    private void keep(Socket socket) {
        Socket oldest = null;
        synchronized (idle) {
            idle.add(socket);
            if (idle.size() > MOST_IDLE) {
                oldest = idle.remove();
            }
        }
        if (oldest != null) {
            close(oldest);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // The socket is closed anyway.
        }
    }

    @Override
    public void close() {
        synchronized (idle) {
            idle.forEach(PortAttack::close);
            idle.clear();
        }
    }
}
