// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** The bytes that a master in another process has written to its log, as its metrics tell. */
final class MasterBytes {
    private final URI metrics;

    /** @param port of the master's metrics */
    MasterBytes(int port) {
        this.metrics = URI.create("http://127.0.0.1:%d/metrics".formatted(port));
    }

    /**
     * Counts at one time.
     *
     * @param writes that were put into files
     * @param log bytes of rows
     * @param journal bytes among them of journal entries
     */
    record Counts(double writes, double log, double journal) {
        /** Returns the counts at a number of writes on the straight line to others. */
        Counts towards(Counts later, double at) {
            double share = later.writes == writes ? 0 : (at - writes) / (later.writes - writes);
            return new Counts(at, log + share * (later.log - log), journal + share * (later.journal - journal));
        }
    }

    /** Asks the master. Thread-safe. */
    Counts counts() throws IOException {
        String text = new String(metrics.toURL().openStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Counts(
                sum(text, "bdt_requests_total{method=\"Apply\""),
                sum(text, "bdt_log_bytes_total{"),
                sum(text, "bdt_journal_bytes_total{"));
    }

    private static double sum(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
