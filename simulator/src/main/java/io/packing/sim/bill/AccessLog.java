// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** The files of an access log, read as a stream: each line that is none is counted, and the first ones are named. */
public final class AccessLog {
    /** A longer line is none: the longest key has 1,024 bytes, which may be encoded twice. */
    static final int LONGEST_LINE = 64 << 10;

    private static final int MOST_NAMED = 10;
    private static final int MOST_OPERATIONS = 100;

    /** A receiver of the lines. */
    public interface Visitor {
        void visit(AccessLogLine line, BilledRequests billed);
    }

    /**
     * The part of a log that is read.
     *
     * @param bucket empty: all
     * @param prefix of keys and listings; requests without a key are read when it is empty
     */
    public record Part(Optional<String> bucket, String prefix, Optional<Instant> since, Optional<Instant> until) {
        public static final Part ALL = new Part(Optional.empty(), "", Optional.empty(), Optional.empty());

        boolean has(AccessLogLine line) {
            return bucket.map(line.bucket()::equals).orElse(true)
                    && line.key().orElse("").startsWith(prefix)
                    && since.map(from -> !line.time().isBefore(from)).orElse(true)
                    && until.map(to -> line.time().isBefore(to)).orElse(true);
        }
    }

    /**
     * The result of reading.
     *
     * @param lines that are not empty
     * @param elsewhere lines that are in other parts of the log
     * @param malformed lines that are none
     * @param named the first of them: file, line and reason
     * @param unknown operations without a known price, with their counts
     */
    public record Outcome(
            int files, long lines, long elsewhere, long malformed, List<String> named, Map<String, Long> unknown) {
        public Outcome {
            named = List.copyOf(named);
            unknown = Map.copyOf(unknown);
        }

        /** Counts the lines that could not be priced. */
        public long unpriced() {
            return malformed
                    + unknown.values().stream().mapToLong(count -> count).sum();
        }
    }

    private final Part part;
    private final Visitor visitor;
    private final List<String> named = new ArrayList<>();
    private final Map<String, Long> unknown = new TreeMap<>();
    private int files;
    private long lines;
    private long elsewhere;
    private long malformed;

    private AccessLog(Part part, Visitor visitor) {
        this.part = part;
        this.visitor = visitor;
    }

    /**
     * Reads files, and the files below directories in the order of their names, plain or compressed with gzip.
     *
     * @throws NoSuchFileException naming a path that is not there
     */
    public static Outcome read(List<Path> paths, Part part, Visitor visitor) throws IOException {
        AccessLog log = new AccessLog(part, visitor);
        for (Path path : paths) {
            if (!Files.exists(path)) {
                throw new NoSuchFileException(path.toString());
            }
            try (Stream<Path> below = Files.walk(path)) {
                for (Path file : below.filter(Files::isRegularFile).sorted().toList()) {
                    log.file(file);
                }
            }
        }
        return new Outcome(log.files, log.lines, log.elsewhere, log.malformed, log.named, log.unknown);
    }

    private void file(Path file) throws IOException {
        files++;
        long number = 0;
        try (Reader in = open(file)) {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c >= 0; c = in.read()) {
                if (c != '\n') {
                    if (line.length() <= LONGEST_LINE) {
                        line.append((char) c);
                    }
                    continue;
                }
                number++;
                line(file, number, line);
                line.setLength(0);
            }
            if (line.length() > 0) {
                line(file, number + 1, line);
            }
        } catch (EOFException | ZipException e) {
            lines++;
            malformed(file, number + 1, "the compressed file is damaged: " + e.getMessage());
        }
    }

    private static Reader open(Path file) throws IOException {
        InputStream bytes = Files.newInputStream(file);
        try {
            InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes, 1 << 16) : bytes;
            return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8), 1 << 16);
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }

    private void line(Path file, long number, StringBuilder text) {
        if (text.length() > 0 && text.charAt(text.length() - 1) == '\r') {
            text.setLength(text.length() - 1);
        }
        if (text.length() == 0) {
            return;
        }
        lines++;
        if (text.length() > LONGEST_LINE) {
            malformed(file, number, "it is longer than %,d characters".formatted(LONGEST_LINE));
            return;
        }
        try {
            AccessLogLine line = AccessLogLine.parse(text.toString());
            if (!part.has(line)) {
                elsewhere++;
                return;
            }
            Optional<BilledRequests> billed = line.billed();
            if (billed.isEmpty()) {
                String name = unknown.size() < MOST_OPERATIONS || unknown.containsKey(line.operation())
                        ? line.operation()
                        : "others";
                unknown.merge(name, 1L, Long::sum);
                return;
            }
            visitor.visit(line, billed.get());
        } catch (MalformedLogLineException e) {
            malformed(file, number, String.valueOf(e.getMessage()));
        }
    }

    private void malformed(Path file, long number, String why) {
        malformed++;
        if (named.size() < MOST_NAMED) {
            named.add("%s, line %,d: %s".formatted(file, number, why));
        }
    }
}
