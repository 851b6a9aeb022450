// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.launch;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;

/**
 * The writers of the results of commands in JSON, with one naming: words in small letters with {@code _} between them. Commands that print
 * text do not load them.
 */
public final class JsonResults {
    private static final ObjectMapper LINES =
            new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
    private static final ObjectMapper INDENTED = LINES.copy().enable(SerializationFeature.INDENT_OUTPUT);

    private JsonResults() {}

    /** Returns the writer of values of one line each. */
    public static ObjectMapper lines() {
        return LINES;
    }

    /** Returns the writer of one value of several lines. */
    public static ObjectMapper indented() {
        return INDENTED;
    }
}
