// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.process.Ports;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The end of a container's start: its program has printed a result, or its server has answered the first request. */
sealed interface HelloReady {
    /** The longest start. */
    Duration LONGEST = Duration.ofMinutes(3);

    /** A pause between two requests to a server that does not answer yet. */
    long PAUSE_MILLIS = 5;

    /** Returns the word for this in results. */
    String word();

    /**
     * Waits until a container is ready.
     *
     * @throws IOException if it ends without the result, or does not become ready
     */
    void await(Container container, int port) throws IOException, InterruptedException;

    /**
     * A program that runs to its end.
     *
     * @param text a part of its output
     */
    record Printed(String text) implements HelloReady {
        @Override
        public String word() {
            return "result";
        }

        @Override
        public void await(Container container, int port) throws IOException, InterruptedException {
            int exit = container.process().waitFor();
            if (exit != 0 || !container.said().contains(text)) {
                throw new IOException(
                        "it ended with %d and did not print '%s': %s".formatted(exit, text, container.lastSaid()));
            }
        }
    }

    /** A server that answers. */
    record Answered(FirstRequest request) implements HelloReady {
        @Override
        public String word() {
            return "answer";
        }

        @Override
        public void await(Container container, int port) throws IOException, InterruptedException {
            long begin = System.nanoTime();
            while (true) {
                try {
                    request.ask(port);
                    return;
                } catch (IOException e) {
                    if (!container.process().isAlive() || System.nanoTime() - begin > LONGEST.toNanos()) {
                        throw new IOException(
                                "it does not answer: %s; it says: %s".formatted(e, container.lastSaid()), e);
                    }
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    /** A first request to a server. */
    interface FirstRequest {
        /**
         * Asks once.
         *
         * @throws IOException if there is no right answer
         */
        void ask(int port) throws IOException;

        /** Returns a request for a page, which any answer below 400 fits. */
        static FirstRequest page(String path) {
            return line("GET %s HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".formatted(path), "HTTP/1.[01] [23]\\d\\d.*");
        }

        /**
         * Returns a request whose answer begins with a line.
         *
         * @param pattern of this line
         */
        static FirstRequest line(String request, String pattern) {
            return port -> {
                try (Socket socket = connect(port)) {
                    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                    InputStream in = new BufferedInputStream(socket.getInputStream());
                    StringBuilder line = new StringBuilder();
                    for (int c = in.read(); c >= 0 && c != '\n' && line.length() < 200; c = in.read()) {
                        line.append((char) c);
                    }
                    if (!line.toString().strip().matches(pattern)) {
                        throw new IOException("the server answers '%s'"
                                .formatted(line.toString().strip()));
                    }
                }
            };
        }

        /** Returns a look at the greeting of MySQL's protocol: a packet with version 10. */
        static FirstRequest mysqlGreeting() {
            return port -> {
                try (Socket socket = connect(port)) {
                    byte[] packet = socket.getInputStream().readNBytes(5);
                    if (packet.length < 5 || packet[4] != 10) {
                        throw new IOException("the server does not greet");
                    }
                }
            };
        }

        private static Socket connect(int port) throws IOException {
            Socket socket = new Socket();
            try {
                socket.setSoTimeout(10_000);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
                return socket;
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        }
    }

    /**
     * Starts a container of an image until it is ready, and ends it.
     *
     * @return seconds from the request for a root to the end of the start
     */
    static double start(HelloSide side, HelloImage hello, ImageSet.Image image, Path log)
            throws IOException, InterruptedException {
        int port = Ports.free(1).get(0);
        long begin = System.nanoTime();
        Path root = side.start(image);
        try {
            return ready(root, hello, log, port, begin);
        } finally {
            side.stop();
        }
    }

    private static double ready(Path root, HelloImage hello, Path log, int port, long begin)
            throws IOException, InterruptedException {
        Map<String, String> variables = Map.of("PORT", Integer.toString(port), "HOME", "/tmp");
        try (Container container = Container.start(root, log, variables, hello.script())) {
            hello.ready().await(container, port);
            return (System.nanoTime() - begin) / 1e9;
        } catch (IOException e) {
            throw new IOException("%s: %s".formatted(hello.name(), e.getMessage()), e);
        }
    }
}
