// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The last lines of a log file, which an operator reads first after a failure. */
final class LogTail {
    private static final int LINES = 20;
    private static final int MAX_BYTES = 16 << 10;

    private LogTail() {}

    static List<String> of(Path log) {
        List<String> lines = lines(log, Math.max(0, length(log) - MAX_BYTES));
        return lines.subList(Math.max(0, lines.size() - LINES), lines.size());
    }

    /** Returns the length of the log in bytes, and zero without a log. */
    static long length(Path log) {
        return log.toFile().length();
    }

    /** Returns the log's lines from a position on. */
    static List<String> lines(Path log, long from) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            byte[] bytes = new byte[(int) Math.max(0, file.length() - from)];
            file.seek(from);
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            return List.of("(no log: " + e.getMessage() + ")");
        }
    }
}
