// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster;

import io.packing.cluster.load.AlluxioConsole;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A running {@link AlluxioConsole}. Confined to one thread. */
final class Console implements AutoCloseable {
    private final JavaProcess process;
    private final int port;

    private Console(JavaProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    static Console start(JavaCommand command, Path logs, Duration timeout) throws IOException, InterruptedException {
        JavaProcess process = JavaProcess.start(command, logs);
        try {
            return new Console(process, Integer.parseInt(process.awaitLine(AlluxioConsole.READY, timeout)));
        } catch (IOException | InterruptedException | RuntimeException e) {
            process.close();
            throw e;
        }
    }

    /**
     * Runs a command and gives each line of its output to {@code lines}.
     *
     * @param what {@link AlluxioConsole#SHELL} or {@link AlluxioConsole#LOAD}
     * @throws IOException if it fails, with the log of the console
     */
    void run(String what, List<String> words, Consumer<String> lines) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                Writer out = new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8);
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            out.write(Stream.concat(Stream.of(what), words.stream())
                    .map(word -> URLEncoder.encode(word, StandardCharsets.UTF_8))
                    .collect(Collectors.joining(" ", "", "\n")));
            out.flush();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals(AlluxioConsole.STATUS + "0")) {
                    return;
                }
                if (line.startsWith(AlluxioConsole.STATUS)) {
                    throw process.failure("a command ended with " + line);
                }
                lines.accept(line);
            }
            throw process.failure("gave no status");
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
