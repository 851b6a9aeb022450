// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.tokens;

import io.packing.bdt.master.texts.MasterTexts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The state of each live token. Confined to its authority. */
final class TokenRows {
    private static final String FILE = "tokens";
    private static final String FIRST_LINE = "packing tokens 1";

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

    private TokenRows(Map<Long, Row> rows) {
        this.rows = rows;
    }

    static TokenRows read(MasterTexts texts) throws IOException {
        Optional<String> text = texts.read(FILE);
        return new TokenRows(text.isPresent() ? decode(text.get(), texts.where(FILE)) : Map.of());
    }

    Map<Long, Row> all() {
        return rows;
    }

    /** Returns when the row is durable; nothing has changed when it cannot be. Rows of tokens that ended are dropped. */
    void put(long sequence, Row row, Instant now, SigningKeys.Writing writing) throws IOException {
        Map<Long, Row> next = new HashMap<>(rows);
        next.values().removeIf(old -> !old.end().isAfter(now));
        next.put(sequence, row);
        writing.write(FILE, encode(next));
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

    private static Map<Long, Row> decode(String text, String where) throws IOException {
        List<String> lines = text.lines().toList();
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
                    "%s is damaged; remove it and the keys beside it, all tokens are refused then".formatted(where), e);
        }
    }
}
