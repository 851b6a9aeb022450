// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import io.packing.options.Nearest;
import java.nio.file.Path;
import java.util.List;

/**
 * The layout of a CSV file, by libCacheSim's options of the names below.
 *
 * @param header whether the first line has the names of the columns; without one columns are numbers from 1
 * @param object the column of objects
 * @param bytes the column of their sizes, or empty
 * @param time the column of times, or empty
 * @param numbers whether objects are whole numbers; otherwise they are names, and 64 bits of a hash stand for each
 * @param skipsBadLines whether lines that are no requests are counted instead of refused
 */
public record CsvLayout(
        char delimiter,
        boolean header,
        String object,
        String bytes,
        String time,
        boolean numbers,
        boolean skipsBadLines) {
    static final int NO_COLUMN = -1;

    public CsvLayout {
        if (object.isEmpty()) {
            throw new IllegalArgumentException("csv.object: the column of the objects is missing");
        }
    }

    /** Returns the index of a column; {@link #NO_COLUMN} for the empty name. */
    int place(String column, List<String> firstLine, Path file) throws MalformedTraceException {
        if (column.isEmpty()) {
            return NO_COLUMN;
        }
        if (header) {
            int place = firstLine.stream().map(String::strip).toList().indexOf(column);
            if (place < 0) {
                throw new MalformedTraceException("%s: no column '%s'; there are %s, and the nearest is '%s'"
                        .formatted(
                                file,
                                column,
                                MalformedTraceException.quote(firstLine.toString()),
                                MalformedTraceException.quote(Nearest.to(column, firstLine))));
            }
            return place;
        }
        if (!column.matches("[1-9][0-9]{0,4}")) {
            throw new MalformedTraceException(
                    "%s: '%s' is not the number of a column, from 1, and the file has no header (csv.header)"
                            .formatted(file, column));
        }
        int place = Integer.parseInt(column) - 1;
        if (place >= firstLine.size()) {
            throw new MalformedTraceException("%s: no column %s; the first line has %d (is csv.delimiter '%s'?)"
                    .formatted(file, column, firstLine.size(), delimiter));
        }
        return place;
    }
}
