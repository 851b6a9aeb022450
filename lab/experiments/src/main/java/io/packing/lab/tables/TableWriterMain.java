// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;

/**
 * A process that writes to a table. The experiment sends it lines over a connection: {@code race ROW} writes a row's file, answers
 * {@code prepared}, waits for a line, commits until the row is in, and answers {@code committed CONFLICTS}. {@code append ROW} appends this row and
 * those after it, and answers {@code row ROW} after each, until the process is killed.
 *
 * <p>Arguments: port, kind of table, location, and options of the mount as KEY=VALUE.
 */
public final class TableWriterMain {
    private TableWriterMain() {}

    public static void main(String[] args) throws IOException {
        Configuration configuration = new Configuration();
        for (int i = 3; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            configuration.set(args[i].substring(0, equals), args[i].substring(equals + 1));
        }
        RowTable table = TableKind.valueOf(args[1]).open(configuration, args[2]);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                PrintWriter out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
            socket.setTcpNoDelay(true);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int space = line.indexOf(' ');
                long row = Long.parseLong(line.substring(space + 1));
                if (line.startsWith("race ")) {
                    race(table, row, in, out);
                } else {
                    append(table, row, out);
                }
            }
        }
    }

    private static void race(RowTable table, long row, BufferedReader in, PrintWriter out) throws IOException {
        RowTable.Append append = table.prepare(row);
        out.println("prepared");
        String unused = in.readLine();
        long conflicts = 0;
        while (!append.commit()) {
            conflicts++;
            append = table.prepare(row);
        }
        out.println("committed " + conflicts);
    }

    private static void append(RowTable table, long first, PrintWriter out) throws IOException {
        for (long row = first; !out.checkError(); row++) {
            RowTable.Append append = table.prepare(row);
            while (!append.commit()) {
                append = table.prepare(row);
            }
            out.println("row " + row);
        }
    }
}
