// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import io.packing.bdt.ExtendedValue;
import io.packing.blob.FilePath;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The record of a snapshot in the table.
 *
 * @param volume that it is of, which may be gone
 * @param createdMillis since 1970
 * @param capacity of the volume then; 0: without limit
 * @param group that it is part of
 */
public record SnapshotRecord(String name, CsiId volume, long createdMillis, long capacity, Optional<CsiId> group) {
    private static final String NAME = "name";
    private static final String VOLUME = "volume";
    private static final String CREATED = "created";
    private static final String CAPACITY = "capacity";
    private static final String GROUP = "group";

    ExtendedValue encode() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(NAME, name);
        fields.put(VOLUME, volume.toString());
        fields.put(CREATED, Long.toString(createdMillis));
        fields.put(CAPACITY, Long.toString(capacity));
        group.ifPresent(id -> fields.put(GROUP, id.toString()));
        return RecordLines.encode(fields);
    }

    static SnapshotRecord decode(FilePath at, ExtendedValue value) {
        Map<String, String> fields = RecordLines.decode(at, value);
        return new SnapshotRecord(
                RecordLines.field(at, fields, NAME),
                id(at, RecordLines.field(at, fields, VOLUME)),
                RecordLines.number(at, fields, CREATED),
                RecordLines.number(at, fields, CAPACITY),
                Optional.ofNullable(fields.get(GROUP)).map(text -> id(at, text)));
    }

    static CsiId id(FilePath at, String text) {
        return CsiId.parse(text).orElseThrow(() -> RecordLines.unreadable(at));
    }
}
