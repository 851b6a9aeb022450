// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.rpc;

import com.google.protobuf.Timestamp;
import io.packing.csi.rpc.v1.CapacityRange;
import io.packing.csi.rpc.v1.Snapshot;
import io.packing.csi.rpc.v1.Volume;
import io.packing.csi.rpc.v1.VolumeContentSource;
import io.packing.csi.volume.CsiId;
import io.packing.csi.volume.CsiRefusal;
import io.packing.csi.volume.CsiSnapshot;
import io.packing.csi.volume.CsiVolume;
import io.packing.csi.volume.VolumeCapacity;
import io.packing.csi.volume.VolumeSource;

/** Translations between messages and values. */
final class CsiMessages {
    private static final int MILLIS = 1_000;
    private static final int NANOS = 1_000_000;

    private CsiMessages() {}

    static Timestamp time(long millis) {
        return Timestamp.newBuilder()
                .setSeconds(Math.floorDiv(millis, MILLIS))
                .setNanos(Math.floorMod(millis, MILLIS) * NANOS)
                .build();
    }

    static Volume volume(CsiVolume volume) {
        Volume.Builder told = Volume.newBuilder()
                .setVolumeId(volume.id().toString())
                .setCapacityBytes(volume.record().capacity());
        volume.record().source().ifPresent(of -> told.setContentSource(source(of)));
        return told.build();
    }

    private static VolumeContentSource source(VolumeSource source) {
        VolumeContentSource.Builder told = VolumeContentSource.newBuilder();
        CsiId id = source.id();
        return source.kind() == VolumeSource.Kind.VOLUME
                ? told.setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(id.toString()))
                        .build()
                : told.setSnapshot(
                                VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(id.toString()))
                        .build();
    }

    static Snapshot snapshot(CsiSnapshot snapshot) {
        Snapshot.Builder told = Snapshot.newBuilder()
                .setSnapshotId(snapshot.id().toString())
                .setSourceVolumeId(snapshot.record().volume().toString())
                .setCreationTime(time(snapshot.record().createdMillis()))
                .setSizeBytes(snapshot.record().capacity())
                .setReadyToUse(true);
        snapshot.record().group().ifPresent(group -> told.setGroupSnapshotId(group.toString()));
        return told.build();
    }

    static VolumeCapacity capacity(CapacityRange range) throws CsiRefusal {
        return VolumeCapacity.of(range.getRequiredBytes(), range.getLimitBytes());
    }
}
