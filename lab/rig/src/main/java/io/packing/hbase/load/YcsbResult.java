// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.load;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The result that YCSB measured.
 *
 * @param operations that YCSB counted, each of them one call of HBase
 * @param failures operations that failed
 * @param seconds from the first operation to the last
 * @param operationsPerSecond YCSB's own figure; for the creation of rows, rows per second
 * @param meanMicros mean latency of each kind of operation, by YCSB's name of it
 */
public record YcsbResult(
        long operations, long failures, double seconds, double operationsPerSecond, Map<String, Double> meanMicros) {
    private static final String PROGRESS = "progress ";

    public YcsbResult {
        meanMicros = Map.copyOf(meanMicros);
    }

    static String progressLine(long done) {
        return PROGRESS + done;
    }

    /** A reader of the output of YCSB's client, line by line: {@code [READ], AverageLatency(us), 1234.5}. */
    public static final class Reader implements Consumer<String> {
        private final LongConsumer progress;
        private final Map<String, Double> meanMicros = new TreeMap<>();
        private long operations;
        private long failures;
        private double seconds;
        private double perSecond;

        /**
         * Creates a reader of one phase.
         *
         * @param progress learns how many operations are done
         */
        public Reader(LongConsumer progress) {
            this.progress = progress;
        }

        @Override
        public void accept(String line) {
            if (line.startsWith(PROGRESS)) {
                progress.accept(Long.parseLong(line.substring(PROGRESS.length())));
                return;
            }
            String[] words = line.split(", ", -1);
            if (words.length != 3 || !words[0].matches("\\[[A-Z-]+]")) {
                return;
            }
            String kind = words[0].substring(1, words[0].length() - 1);
            if (kind.equals("OVERALL")) {
                overall(words[1], words[2]);
            } else if (!kind.startsWith("TOTAL_GC") && !kind.equals("CLEANUP") && !kind.endsWith("-FAILED")) {
                operation(kind, words[1], words[2]);
            }
        }

        private void overall(String what, String value) {
            if (what.equals("RunTime(ms)")) {
                seconds = Double.parseDouble(value) / 1000;
            } else if (what.equals("Throughput(ops/sec)")) {
                perSecond = Double.parseDouble(value);
            }
        }

        private void operation(String kind, String what, String value) {
            if (what.equals("AverageLatency(us)")) {
                meanMicros.put(kind, Double.parseDouble(value));
            } else if (what.startsWith("Return=")) {
                long count = Long.parseLong(value);
                operations += count;
                failures += what.equals("Return=OK") ? 0 : count;
            }
        }

        /**
         * Returns the result in the lines.
         *
         * @throws IOException when they have no result
         */
        public YcsbResult result() throws IOException {
            if (seconds == 0 || operations == 0) {
                throw new IOException("YCSB ended without a result");
            }
            return new YcsbResult(operations, failures, seconds, perSecond, meanMicros);
        }
    }
}
