// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** A trace in CSV as libCacheSim reads it, plain or compressed with zstd or gzip: a request on each line. */
public final class CsvRequests implements CacheRequests {
    private static final int LONGEST_LINE = 1 << 16;

    private final Path file;
    private final CsvLayout layout;
    private final TraceInput input;
    private final CloseableIterator<CsvRecord> lines;
    private final int objectAt;
    private final int bytesAt;
    private final int timeAt;
    private Optional<CsvRecord> first;
    private long object;
    private long bytes;
    private double time = Double.NEGATIVE_INFINITY;
    private long bad;
    private long empty;
    private long backwards;

    private CsvRequests(Path file, CsvLayout layout, TraceInput input) throws IOException {
        this.file = file;
        this.layout = layout;
        this.input = input;
        lines = CsvReader.builder()
                .fieldSeparator(layout.delimiter())
                .skipEmptyLines(true)
                .allowExtraFields(true)
                .allowMissingFields(true)
                .maxBufferSize(LONGEST_LINE)
                .ofCsvRecord(input, StandardCharsets.UTF_8)
                .iterator();
        CsvRecord head = line().orElseThrow(() -> new MalformedTraceException("%s: not one line".formatted(file)));
        objectAt = layout.place(layout.object(), head.getFields(), file);
        bytesAt = layout.place(layout.bytes(), head.getFields(), file);
        timeAt = layout.place(layout.time(), head.getFields(), file);
        first = layout.header() ? Optional.empty() : Optional.of(head);
    }

    /**
     * Opens a trace and finds its columns.
     *
     * @throws MalformedTraceException if a column is missing
     */
    public static CsvRequests open(Path file, CsvLayout layout) throws IOException {
        TraceInput input = TraceInput.open(file);
        try {
            return new CsvRequests(file, layout, input);
        } catch (IOException | RuntimeException e) {
            input.close();
            throw e;
        }
    }

    @Override
    public boolean advance() throws IOException {
        while (true) {
            Optional<CsvRecord> next = first.isPresent() ? first : line();
            first = Optional.empty();
            if (next.isEmpty()) {
                return false;
            }
            if (take(next.get())) {
                if (bytes > 0 || bytesAt == CsvLayout.NO_COLUMN) {
                    return true;
                }
                empty++;
            }
        }
    }

    private Optional<CsvRecord> line() throws IOException {
        try {
            return lines.hasNext() ? Optional.of(lines.next()) : Optional.empty();
        } catch (UncheckedIOException e) {
            throw e.getCause() instanceof MalformedTraceException malformed ? malformed : e.getCause();
        } catch (CsvParseException e) {
            Exception cause = e.getCause() instanceof MalformedTraceException malformed ? malformed : e;
            throw new MalformedTraceException(
                    "%s: no CSV with lines below %,d characters: %s".formatted(file, LONGEST_LINE, cause.getMessage()),
                    e);
        }
    }

    private boolean take(CsvRecord line) throws MalformedTraceException {
        try {
            String name = field(line, objectAt);
            object = layout.numbers() ? Long.parseLong(name) : hash(name);
            bytes = bytesAt == CsvLayout.NO_COLUMN ? 0 : Long.parseLong(field(line, bytesAt));
            if (bytes < 0) {
                throw new NumberFormatException("%d bytes".formatted(bytes));
            }
            if (timeAt != CsvLayout.NO_COLUMN) {
                double now = Double.parseDouble(field(line, timeAt));
                backwards += now < time ? 1 : 0;
                time = now;
            }
            return true;
        } catch (NumberFormatException e) {
            if (layout.skipsBadLines()) {
                bad++;
                return false;
            }
            throw new MalformedTraceException(
                    "%s, line %d: %s (csv.header, csv.ids and csv.skip-bad-lines say how to read it)"
                            .formatted(
                                    file,
                                    line.getStartingLineNumber(),
                                    MalformedTraceException.quote(String.valueOf(e.getMessage()))),
                    e);
        }
    }

    private static String field(CsvRecord line, int place) {
        if (place >= line.getFieldCount()) {
            throw new NumberFormatException("only %d columns".formatted(line.getFieldCount()));
        }
        String field = line.getField(place).strip();
        if (field.isEmpty()) {
            throw new NumberFormatException("nothing in column %d".formatted(place + 1));
        }
        return field;
    }

    /**
     * Hashes the characters by FNV-1a and mixes the bits: a pair of names collides with a probability of about 2^-64.
     */
    private static long hash(String name) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ hash >>> 32) * 0x9e3779b97f4a7c15L;
        return hash ^ hash >>> 29;
    }

    @Override
    public long object() {
        return object;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public TraceDefects damage() {
        return new TraceDefects(input.torn(), bad, empty, backwards);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
