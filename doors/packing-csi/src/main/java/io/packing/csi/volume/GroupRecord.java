// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import io.packing.bdt.ExtendedValue;
import io.packing.blob.FilePath;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The record of a group of snapshots in the table.
 *
 * @param volumes that the snapshots are of
 * @param snapshots in the order of the volumes
 */
public record GroupRecord(String name, long createdMillis, List<CsiId> volumes, List<CsiId> snapshots) {
    private static final String NAME = "name";
    private static final String CREATED = "created";
    private static final String VOLUMES = "volumes";
    private static final String SNAPSHOTS = "snapshots";

    public GroupRecord {
        volumes = List.copyOf(volumes);
        snapshots = List.copyOf(snapshots);
    }

    ExtendedValue encode() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(NAME, name);
        fields.put(CREATED, Long.toString(createdMillis));
        fields.put(VOLUMES, text(volumes));
        fields.put(SNAPSHOTS, text(snapshots));
        return RecordLines.encode(fields);
    }

    private static String text(List<CsiId> ids) {
        return String.join(" ", ids.stream().map(CsiId::toString).toList());
    }

    static GroupRecord decode(FilePath at, ExtendedValue value) {
        Map<String, String> fields = RecordLines.decode(at, value);
        return new GroupRecord(
                RecordLines.field(at, fields, NAME),
                RecordLines.number(at, fields, CREATED),
                ids(at, RecordLines.field(at, fields, VOLUMES)),
                ids(at, RecordLines.field(at, fields, SNAPSHOTS)));
    }

    private static List<CsiId> ids(FilePath at, String text) {
        return Arrays.stream(text.split(" ", -1))
                .map(each -> SnapshotRecord.id(at, each))
                .toList();
    }
}
