// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Some connections to a server of this machine that ask again and again: each waits for an answer before it asks for the next. */
final class LoadOverTcp {
    private static final int CONNECTIONS = 4;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int LONGEST_LINE = 8_192;

    private LoadOverTcp() {}

    /** A request and its answer. */
    interface Exchange {
        /**
         * Asks once.
         *
         * @param number of requests of the connection before it
         * @throws IOException also if the answer is not a right one
         */
        void ask(InputStream in, OutputStream out, int number) throws IOException;
    }

    /** Gets a page. */
    static void page(InputStream in, OutputStream out) throws IOException {
        out.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
        String status = line(in);
        if (!status.startsWith("HTTP/1.1 200")) {
            throw new IOException("the server answers " + status);
        }
        int length = -1;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring(header.indexOf(':') + 1).strip());
            }
        }
        if (length < 1) {
            throw new IOException("an answer without a length");
        }
        in.skipNBytes(length);
    }

    /** Sets, gets and updates keys of Redis, each as often (Slacker §5.7.2). */
    static void key(InputStream in, OutputStream out, int number) throws IOException {
        String key = "key:" + number / 3 % 1_000;
        String command = switch (number % 3) {
            case 0 -> "SET %s %d".formatted(key, number);
            case 1 -> "GET " + key;
            default -> "INCR " + key;
        };
        out.write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
        String answer = line(in);
        if (answer.startsWith("$")) {
            String unused = line(in);
        } else if (!answer.startsWith("+") && !answer.startsWith(":")) {
            throw new IOException("the server answers %s to %s".formatted(answer, command));
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 || line.length() > LONGEST_LINE) {
                throw new EOFException("no whole line: " + line);
            }
            line.append((char) c);
        }
        return line.toString().stripTrailing();
    }

    /** Asks once, by a connection of its own. */
    static void once(int port, Exchange exchange) throws IOException {
        try (Socket socket = connect(port)) {
            exchange.ask(in(socket), out(socket), 0);
        }
    }

    /** Asks for so long; answers in a second. */
    static double rate(int port, Duration time, Exchange exchange) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            long start = System.nanoTime();
            List<Callable<Long>> each = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                each.add(() -> answers(port, start + time.toNanos(), exchange));
            }
            long answers = 0;
            for (Future<Long> future : threads.invokeAll(each)) {
                answers += future.get();
            }
            return answers / ((System.nanoTime() - start) / 1e9);
        } catch (ExecutionException e) {
            throw new IOException("the server at port %d failed: %s".formatted(port, e.getCause()), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static long answers(int port, long until, Exchange exchange) throws IOException {
        try (Socket socket = connect(port)) {
            InputStream in = in(socket);
            OutputStream out = out(socket);
            int count = 0;
            while (System.nanoTime() < until) {
                exchange.ask(in, out, count++);
            }
            return count;
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static InputStream in(Socket socket) throws IOException {
        return new BufferedInputStream(socket.getInputStream());
    }

    private static OutputStream out(Socket socket) throws IOException {
        return new BufferedOutputStream(socket.getOutputStream());
    }
}
