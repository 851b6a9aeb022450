// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;

/** The prediction in a file that {@code packing estimate --json} wrote. */
public final class EstimateFile {
    private EstimateFile() {}

    /**
     * Reads the prediction of one way.
     *
     * @param way {@code direct}, or {@code recommended}: the packed way that the estimate chose
     * @throws IllegalArgumentException naming the file and what it lacks
     */
    public static BillPrediction read(Path file, String way) throws IOException {
        JsonNode all;
        try {
            all = new ObjectMapper().readTree(file.toFile());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "%s: not JSON, as packing estimate --json writes it: %s".formatted(file, e.getOriginalMessage()),
                    e);
        }
        JsonNode row = all.path(way);
        return new BillPrediction(
                "%s of %s".formatted(way, file),
                number(file, row, way, "puts"),
                0,
                0,
                0,
                number(file, row, way, "stored_bytes"),
                number(file, row, way, "request_dollars"));
    }

    private static double number(Path file, JsonNode row, String way, String name) {
        JsonNode value = row.path(name);
        if (!value.isNumber()) {
            throw new IllegalArgumentException(
                    "%s: no number %s.%s, as packing estimate --json writes it".formatted(file, way, name));
        }
        return value.doubleValue();
    }
}
