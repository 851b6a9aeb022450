// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import io.packing.bdt.ExtendedValue;
import io.packing.blob.FilePath;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The record of a volume in the table.
 *
 * @param name that the orchestrator gave
 * @param capacity bytes; 0: without limit
 */
public record VolumeRecord(String name, long capacity, VolumeParameters parameters, Optional<VolumeSource> source) {
    private static final String NAME = "name";
    private static final String CAPACITY = "capacity";
    private static final String SOURCE = "source";
    private static final String PARAMETER = "parameter.";

    ExtendedValue encode() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(NAME, name);
        fields.put(CAPACITY, Long.toString(capacity));
        source.ifPresent(of -> fields.put(SOURCE, of.kind().name().toLowerCase(Locale.ROOT) + " " + of.id()));
        parameters.written().forEach((key, value) -> fields.put(PARAMETER + key, value));
        return RecordLines.encode(fields);
    }

    static VolumeRecord decode(FilePath at, ExtendedValue value) {
        Map<String, String> fields = RecordLines.decode(at, value);
        Map<String, String> parameters = new LinkedHashMap<>();
        fields.forEach((key, text) -> {
            if (key.startsWith(PARAMETER)) {
                parameters.put(key.substring(PARAMETER.length()), text);
            }
        });
        try {
            return new VolumeRecord(
                    RecordLines.field(at, fields, NAME),
                    RecordLines.number(at, fields, CAPACITY),
                    VolumeParameters.from(parameters),
                    Optional.ofNullable(fields.get(SOURCE)).map(text -> source(at, text)));
        } catch (CsiRefusal e) {
            throw RecordLines.unreadable(at);
        }
    }

    private static VolumeSource source(FilePath at, String text) {
        for (VolumeSource.Kind kind : VolumeSource.Kind.values()) {
            String begin = kind.name().toLowerCase(Locale.ROOT) + " ";
            if (text.startsWith(begin)) {
                return new VolumeSource(
                        kind,
                        CsiId.parse(text.substring(begin.length())).orElseThrow(() -> RecordLines.unreadable(at)));
            }
        }
        throw RecordLines.unreadable(at);
    }

    VolumeRecord withCapacity(long bytes) {
        return new VolumeRecord(name, bytes, parameters, source);
    }
}
