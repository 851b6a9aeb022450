// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The result of a load.
 *
 * @param files files done
 * @param bytes their bytes
 * @param nanos from the first request to the last answer, without the start of the JVM
 * @param cpuNanos processor time of the generator meanwhile, without the servers'
 * @param mismatches files with unexpected bytes
 * @param failures files that could not be written or read
 * @param firstError the first failure or mismatch; empty without one
 */
public record ClusterLoadResult(
        long files, long bytes, long nanos, long cpuNanos, long mismatches, long failures, String firstError) {
    /** The line at the beginning of a load. */
    static final String BEGIN = "begin";

    private static final String PREFIX = "result ";
    private static final String PROGRESS = "progress ";

    public double seconds() {
        return nanos / 1e9;
    }

    public double filesPerSecond() {
        return files / seconds();
    }

    public boolean isClean() {
        return mismatches == 0 && failures == 0;
    }

    String toLine() {
        return "%s%d %d %d %d %d %d %s"
                .formatted(
                        PREFIX, files, bytes, nanos, cpuNanos, mismatches, failures, firstError.replaceAll("\\R", " "));
    }

    static String progressLine(long done) {
        return PROGRESS + done;
    }

    static Optional<ClusterLoadResult> fromLine(String line) {
        if (!line.startsWith(PREFIX)) {
            return Optional.empty();
        }
        String[] words = line.substring(PREFIX.length()).split(" ", 7);
        return Optional.of(new ClusterLoadResult(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                words[6]));
    }

    /** A listener to the load generator. */
    public interface Listener {
        /** Learns that a load begins, after its pause. */
        default void begins() {}

        /** Learns how many files of all loads are done. */
        default void progress(long files) {}

        /** Learns that a load is done. The next load does not wait, so this method must end within the pause. */
        default void ended(ClusterLoadResult result) throws IOException {}
    }

    /** A reader of the generator's output, line by line. */
    public static final class Reader implements Consumer<String> {
        private final Listener listener;
        private final List<ClusterLoadResult> results = new ArrayList<>();
        private long doneBefore;

        public Reader(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void accept(String line) {
            if (line.equals(BEGIN)) {
                listener.begins();
            } else if (line.startsWith(PROGRESS)) {
                listener.progress(doneBefore + Long.parseLong(line.substring(PROGRESS.length())));
            } else {
                fromLine(line).ifPresent(this::ended);
            }
        }

        private void ended(ClusterLoadResult result) {
            doneBefore += result.files();
            results.add(result);
            try {
                listener.ended(result);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Returns the result of each load, in order. */
        public List<ClusterLoadResult> results() throws IOException {
            if (results.isEmpty()) {
                throw new IOException("the load generator ended without a result");
            }
            return List.copyOf(results);
        }
    }
}
