// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.model.Violation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The log of a round in a file, and the violations found in it. Thread-safe. */
final class RoundLog implements AutoCloseable {
    private final Path file;
    private final PrintWriter out;
    private final ConcurrentLinkedQueue<Violation> violations = new ConcurrentLinkedQueue<>();

    private RoundLog(Path file, PrintWriter out) {
        this.file = file;
        this.out = out;
    }

    static RoundLog open(Path file) throws IOException {
        return new RoundLog(file, new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8), true));
    }

    Path file() {
        return file;
    }

    void note(String line) {
        out.println("%s [%s] %s"
                .formatted(
                        LocalTime.now(ZoneId.systemDefault()),
                        Thread.currentThread().getName(),
                        line));
    }

    void violation(Violation violation) {
        violations.add(violation);
        note("VIOLATION " + violation);
    }

    /** Returns one violation for each path and kind, since each look reports it again. */
    List<Violation> violations() {
        List<Violation> each = new ArrayList<>();
        for (Violation violation : violations) {
            if (each.stream()
                    .noneMatch(known ->
                            known.kind() == violation.kind() && known.path().equals(violation.path()))) {
                each.add(violation);
            }
        }
        return each;
    }

    @Override
    public void close() {
        out.close();
    }
}
