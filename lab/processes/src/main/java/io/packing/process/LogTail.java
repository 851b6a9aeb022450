package io.packing.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The last lines of a log file: what a person looks at first after a failure. */
final class LogTail {
    private static final int LINES = 20;
    private static final int MAX_BYTES = 16 << 10;

    private LogTail() {}

    static List<String> of(Path log) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            int length = (int) Math.min(MAX_BYTES, file.length());
            byte[] bytes = new byte[length];
            file.seek(file.length() - length);
            file.readFully(bytes);
            List<String> lines =
                    new String(bytes, StandardCharsets.UTF_8).lines().toList();
            return lines.subList(Math.max(0, lines.size() - LINES), lines.size());
        } catch (IOException e) {
            return List.of("(no log: " + e.getMessage() + ")");
        }
    }
}
