// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster.load;

import alluxio.cli.fs.FileSystemShell;
import alluxio.conf.Configuration;
import alluxio.conf.InstancedConfiguration;
import alluxio.conf.PropertyKey;
import alluxio.conf.Source;
import alluxio.exception.AlluxioException;
import java.io.BufferedReader;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * Alluxio's shell and the load generator in a process that stays, since a command takes mostly the start of its JVM.
 *
 * <p>A connection to its port is one command: a line of words that begins with {@link #SHELL} or {@link #LOAD}. The
 * answer is the command's output and a line with its status. Each command has its own clients, as in a process of its
 * own.
 */
public final class AlluxioConsole {
    /** The beginning of the line with the port. */
    public static final String READY = "console at ";

    /** The first word of a command of {@code alluxio fs}. */
    public static final String SHELL = "fs";

    /** The first word of a load; arguments of the load generator follow. */
    public static final String LOAD = "load";

    /** The beginning of an answer's last line. */
    public static final String STATUS = "console status ";

    private static final int FAILED = 1;

    private AlluxioConsole() {}

    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            System.out.println(READY + server.getLocalPort());
            while (true) {
                try (Socket caller = server.accept()) {
                    answer(caller);
                } catch (IOException e) {
                    System.err.println("the caller has disconnected: " + e);
                }
            }
        }
    }

    private static void answer(Socket caller) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.UTF_8));
        String line = in.readLine();
        if (line == null) {
            return;
        }
        List<String> words = Stream.of(line.split(" ", -1))
                .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
                .toList();
        PrintStream usual = System.out;
        PrintStream out = new PrintStream(new Kept(caller.getOutputStream()), true, StandardCharsets.UTF_8);
        int status;
        try {
            System.setOut(out);
            status = run(words.get(0), words.subList(1, words.size()));
        } finally {
            System.setOut(usual);
        }
        caller.getOutputStream().write((STATUS + status + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** A stream that stays open, since some commands close their output. */
    private static final class Kept extends FilterOutputStream {
        Kept(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }

    private static int run(String what, List<String> words) {
        try {
            if (what.equals(LOAD)) {
                AlluxioLoad.run(words);
                return 0;
            }
            // Alluxio's own main method has this limit, too. It reports an unreachable server soon.
            InstancedConfiguration conf = Configuration.copyGlobal();
            conf.set(PropertyKey.USER_RPC_RETRY_MAX_DURATION, "5s", Source.DEFAULT);
            try (FileSystemShell shell = new FileSystemShell(conf)) {
                return shell.run(words.toArray(String[]::new));
            }
        } catch (IOException | AlluxioException | InterruptedException | RuntimeException e) {
            System.out.println(e);
            return FAILED;
        }
    }
}
