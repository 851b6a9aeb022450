// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables;

import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A started {@link TableWriterMain}, and the connection to it. */
final class TableWriterProcess implements AutoCloseable {
    private static final int MEGABYTES = 256;
    private static final int POLL_MILLIS = 200;

    private final JavaProcess process;
    private final Socket socket;
    private final BufferedReader in;
    private final PrintWriter out;

    private TableWriterProcess(JavaProcess process, Socket socket) throws IOException {
        this.process = process;
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Starts a writer and waits until it is connected. */
    static TableWriterProcess start(TableKind kind, String location, Map<String, String> mountOptions, Path logs)
            throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(POLL_MILLIS);
            List<String> words =
                    new ArrayList<>(List.of(Integer.toString(server.getLocalPort()), kind.name(), location));
            mountOptions.forEach((key, value) -> words.add(key + "=" + value));
            JavaProcess process = JavaProcess.start(
                    new JavaCommand(
                                    "table-writer",
                                    TableWriterMain.class.getName(),
                                    List.of(System.getProperty("java.class.path")
                                            .split(File.pathSeparator)),
                                    MEGABYTES,
                                    Map.of(),
                                    words)
                            .brief(),
                    logs);
            while (true) {
                try {
                    return new TableWriterProcess(process, server.accept());
                } catch (SocketTimeoutException e) {
                    if (!process.isAlive()) {
                        throw process.failure("ended before it was connected");
                    }
                }
            }
        }
    }

    void say(String line) {
        out.println(line);
    }

    /** Returns the rest of the next line, which must begin so. */
    String expect(String beginning) throws IOException {
        String line;
        try {
            line = in.readLine();
        } catch (SocketException e) {
            throw ended(e);
        }
        if (line == null) {
            throw ended(new EOFException());
        }
        if (!line.startsWith(beginning)) {
            throw new IOException("the writer answers '%s' in place of '%s'".formatted(line, beginning));
        }
        return line.substring(beginning.length());
    }

    private IOException ended(IOException cause) {
        IOException ended = process.failure("ended while it wrote to its table");
        ended.addSuppressed(cause);
        return ended;
    }

    /** Kills the writer; returns the rows that it had answered, after those that were read before. */
    List<Long> kill() throws IOException, InterruptedException {
        process.kill();
        List<Long> rows = new ArrayList<>();
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                // The last line may be cut.
                if (line.startsWith("row ")) {
                    rows.add(Long.valueOf(line.substring("row ".length())));
                }
            }
        } catch (SocketException e) {
            // The connection ended with the process; its answers were read before.
        }
        return rows;
    }

    @Override
    public void close() throws IOException {
        try (socket) {
            process.close();
        }
    }
}
