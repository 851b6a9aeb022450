package io.packing.bdt.master.tokens;

import io.packing.durable.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What became of each token that lives. Confined to its authority. */
final class TokenRows {
    private static final String FILE = "tokens";
    private static final String FIRST_LINE = "packing tokens 1";

    private final Path directory;
    private Map<Long, Row> rows;

    /**
     * One token.
     *
     * @param user for whom it speaks
     * @param end of its life
     * @param renewedUntil when it is refused unless it is renewed
     */
    record Row(String user, Instant end, Instant renewedUntil, boolean cancelled) {
        boolean isRefused(Instant now) {
            return cancelled || !renewedUntil.isAfter(now);
        }
    }

    private TokenRows(Path directory, Map<Long, Row> rows) {
        this.directory = directory;
        this.rows = rows;
    }

    static TokenRows open(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        return new TokenRows(directory, Files.exists(file) ? decode(file) : Map.of());
    }

    Map<Long, Row> all() {
        return rows;
    }

    /** Returns when the row is on the disk; nothing has changed when it cannot be. Rows of tokens that ended are dropped. */
    void put(long sequence, Row row, Instant now) throws IOException {
        Map<Long, Row> next = new HashMap<>(rows);
        next.values().removeIf(old -> !old.end().isAfter(now));
        next.put(sequence, row);
        DurableFile.write(directory, FILE, encode(next));
        rows = Map.copyOf(next);
    }

    private static String encode(Map<Long, Row> rows) {
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        rows.forEach((sequence, row) -> text.append(sequence)
                .append(' ')
                .append(row.end().toEpochMilli())
                .append(' ')
                .append(row.renewedUntil().toEpochMilli())
                .append(' ')
                .append(row.cancelled())
                .append(' ')
                .append(Base64.getEncoder().encodeToString(row.user().getBytes(StandardCharsets.UTF_8)))
                .append('\n'));
        return text.toString();
    }

    private static Map<Long, Row> decode(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        try {
            if (!lines.get(0).equals(FIRST_LINE)) {
                throw new IllegalArgumentException("it begins with '%s'".formatted(lines.get(0)));
            }
            Map<Long, Row> rows = new HashMap<>();
            for (String line : lines.subList(1, lines.size())) {
                String[] parts = line.split(" ", -1);
                rows.put(
                        Long.parseLong(parts[0]),
                        new Row(
                                new String(Base64.getDecoder().decode(parts[4]), StandardCharsets.UTF_8),
                                Instant.ofEpochMilli(Long.parseLong(parts[1])),
                                Instant.ofEpochMilli(Long.parseLong(parts[2])),
                                Boolean.parseBoolean(parts[3])));
            }
            return Map.copyOf(rows);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException(
                    "%s is damaged; remove it and the keys beside it, all tokens are refused then".formatted(file), e);
        }
    }
}
