package io.packing.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A log file, and its last lines: what a person looks at first after a failure. */
final class LogTail {
    private static final int LINES = 20;
    private static final int MAX_BYTES = 16 << 10;

    private LogTail() {}

    static List<String> of(Path log) {
        List<String> lines = lines(log, Math.max(0, length(log) - MAX_BYTES));
        return lines.subList(Math.max(0, lines.size() - LINES), lines.size());
    }

    /** Bytes that it has; zero: there is none. */
    static long length(Path log) {
        return log.toFile().length();
    }

    /** Its lines from a position on. */
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
