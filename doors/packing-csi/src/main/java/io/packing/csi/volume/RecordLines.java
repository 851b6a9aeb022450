// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import io.packing.bdt.ExtendedValue;
import io.packing.blob.FilePath;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The form of records in extended attributes: a version, then a line for each field. */
final class RecordLines {
    private static final String VERSION = "1";

    private RecordLines() {}

    static ExtendedValue encode(Map<String, String> fields) {
        StringBuilder text = new StringBuilder(VERSION);
        fields.forEach((name, value) -> {
            if (value.indexOf('\n') >= 0) {
                throw new IllegalArgumentException("a field of two lines: " + name);
            }
            text.append('\n').append(name).append('=').append(value);
        });
        return new ExtendedValue(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads a record.
     *
     * @throws IllegalStateException when a newer version or another program wrote it
     */
    static Map<String, String> decode(FilePath at, ExtendedValue value) {
        String[] lines = new String(value.bytes(), StandardCharsets.UTF_8).split("\n", -1);
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int equals = lines[i].indexOf('=');
            if (equals > 0) {
                fields.put(lines[i].substring(0, equals), lines[i].substring(equals + 1));
            }
        }
        if (!lines[0].equals(VERSION) || fields.size() < lines.length - 1) {
            throw unreadable(at);
        }
        return fields;
    }

    static String field(FilePath at, Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw unreadable(at);
        }
        return value;
    }

    static long number(FilePath at, Map<String, String> fields, String name) {
        String value = field(at, fields, name);
        if (!value.matches("[0-9]{1,18}")) {
            throw unreadable(at);
        }
        return Long.parseLong(value);
    }

    static IllegalStateException unreadable(FilePath at) {
        return new IllegalStateException(
                "%s: its attribute %s was not written by this version of packing: update the driver"
                        .formatted(at, CsiTree.RECORD));
    }
}
