// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd.rpc;

import com.google.protobuf.Empty;
import com.google.protobuf.Timestamp;
import io.grpc.stub.StreamObserver;
import io.packing.layers.containerd.ContainerdSnapshots;
import io.packing.layers.containerd.KeptSnapshot;
import io.packing.layers.containerd.SnapshotKind;
import io.packing.layers.containerd.SnapshotMount;
import io.packing.layers.containerd.UpperUsage;
import io.packing.layers.containerd.rpc.v1.CleanupRequest;
import io.packing.layers.containerd.rpc.v1.CommitSnapshotRequest;
import io.packing.layers.containerd.rpc.v1.Info;
import io.packing.layers.containerd.rpc.v1.Kind;
import io.packing.layers.containerd.rpc.v1.ListSnapshotsRequest;
import io.packing.layers.containerd.rpc.v1.ListSnapshotsResponse;
import io.packing.layers.containerd.rpc.v1.Mount;
import io.packing.layers.containerd.rpc.v1.MountsRequest;
import io.packing.layers.containerd.rpc.v1.MountsResponse;
import io.packing.layers.containerd.rpc.v1.PrepareSnapshotRequest;
import io.packing.layers.containerd.rpc.v1.PrepareSnapshotResponse;
import io.packing.layers.containerd.rpc.v1.RemoveSnapshotRequest;
import io.packing.layers.containerd.rpc.v1.SnapshotsGrpc;
import io.packing.layers.containerd.rpc.v1.StatSnapshotRequest;
import io.packing.layers.containerd.rpc.v1.StatSnapshotResponse;
import io.packing.layers.containerd.rpc.v1.UpdateSnapshotRequest;
import io.packing.layers.containerd.rpc.v1.UpdateSnapshotResponse;
import io.packing.layers.containerd.rpc.v1.UsageRequest;
import io.packing.layers.containerd.rpc.v1.UsageResponse;
import io.packing.layers.containerd.rpc.v1.ViewSnapshotRequest;
import io.packing.layers.containerd.rpc.v1.ViewSnapshotResponse;
import java.util.List;

/** The service {@code containerd.services.snapshots.v1.Snapshots}. It translates calls, and decides nothing. */
public final class SnapshotService extends SnapshotsGrpc.SnapshotsImplBase {
    /** Snapshots in one message of a listing; each has at most some kilobytes of labels. */
    private static final int PAGE = 100;

    private static final long SECOND_MILLIS = 1_000;
    private static final int MILLI_NANOS = 1_000_000;

    private final ContainerdSnapshots snapshots;

    /** @param snapshots the caller closes them after the server */
    public SnapshotService(ContainerdSnapshots snapshots) {
        this.snapshots = snapshots;
    }

    @Override
    public void prepare(PrepareSnapshotRequest request, StreamObserver<PrepareSnapshotResponse> to) {
        SnapshotAnswers.answer(
                to,
                "Prepare",
                request.getKey(),
                () -> PrepareSnapshotResponse.newBuilder()
                        .addAllMounts(mounts(
                                snapshots.prepare(request.getKey(), request.getParent(), request.getLabelsMap())))
                        .build());
    }

    @Override
    public void view(ViewSnapshotRequest request, StreamObserver<ViewSnapshotResponse> to) {
        SnapshotAnswers.answer(
                to,
                "View",
                request.getKey(),
                () -> ViewSnapshotResponse.newBuilder()
                        .addAllMounts(
                                mounts(snapshots.view(request.getKey(), request.getParent(), request.getLabelsMap())))
                        .build());
    }

    @Override
    public void mounts(MountsRequest request, StreamObserver<MountsResponse> to) {
        SnapshotAnswers.answer(
                to,
                "Mounts",
                request.getKey(),
                () -> MountsResponse.newBuilder()
                        .addAllMounts(mounts(snapshots.mounts(request.getKey())))
                        .build());
    }

    private static List<Mount> mounts(List<SnapshotMount> mounts) {
        return mounts.stream()
                .map(each -> Mount.newBuilder()
                        .setType(each.type())
                        .setSource(each.source())
                        .addAllOptions(each.options())
                        .build())
                .toList();
    }

    @Override
    public void commit(CommitSnapshotRequest request, StreamObserver<Empty> to) {
        SnapshotAnswers.answer(to, "Commit", request.getKey(), () -> {
            snapshots.commit(request.getName(), request.getKey(), request.getLabelsMap());
            return Empty.getDefaultInstance();
        });
    }

    @Override
    public void remove(RemoveSnapshotRequest request, StreamObserver<Empty> to) {
        SnapshotAnswers.answer(to, "Remove", request.getKey(), () -> {
            snapshots.remove(request.getKey());
            return Empty.getDefaultInstance();
        });
    }

    @Override
    public void stat(StatSnapshotRequest request, StreamObserver<StatSnapshotResponse> to) {
        SnapshotAnswers.answer(
                to,
                "Stat",
                request.getKey(),
                () -> StatSnapshotResponse.newBuilder()
                        .setInfo(info(snapshots.stat(request.getKey())))
                        .build());
    }

    @Override
    public void update(UpdateSnapshotRequest request, StreamObserver<UpdateSnapshotResponse> to) {
        Info info = request.getInfo();
        SnapshotAnswers.answer(
                to,
                "Update",
                info.getName(),
                () -> UpdateSnapshotResponse.newBuilder()
                        .setInfo(info(snapshots.update(
                                info.getName(),
                                info.getLabelsMap(),
                                List.copyOf(request.getUpdateMask().getPathsList()))))
                        .build());
    }

    /** Lists all snapshots: containerd looks at what it asked for by itself, and most snapshotters know no filters. */
    @Override
    public void list(ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> to) {
        List<KeptSnapshot> all = snapshots.list();
        for (int from = 0; from < all.size(); from += PAGE) {
            ListSnapshotsResponse.Builder page = ListSnapshotsResponse.newBuilder();
            all.subList(from, Math.min(all.size(), from + PAGE)).forEach(each -> page.addInfo(info(each)));
            to.onNext(page.build());
        }
        to.onCompleted();
    }

    @Override
    public void usage(UsageRequest request, StreamObserver<UsageResponse> to) {
        SnapshotAnswers.answer(to, "Usage", request.getKey(), () -> {
            UpperUsage usage = snapshots.usage(request.getKey());
            return UsageResponse.newBuilder()
                    .setSize(usage.size())
                    .setInodes(usage.inodes())
                    .build();
        });
    }

    @Override
    public void cleanup(CleanupRequest request, StreamObserver<Empty> to) {
        SnapshotAnswers.answer(to, "Cleanup", "all", () -> {
            snapshots.cleanup();
            return Empty.getDefaultInstance();
        });
    }

    private static Info info(KeptSnapshot snapshot) {
        return Info.newBuilder()
                .setName(snapshot.key())
                .setParent(snapshot.parent())
                .setKind(kind(snapshot.kind()))
                .setCreatedAt(time(snapshot.createdMillis()))
                .setUpdatedAt(time(snapshot.updatedMillis()))
                .putAllLabels(snapshot.labels())
                .build();
    }

    private static Kind kind(SnapshotKind kind) {
        return switch (kind) {
            case VIEW -> Kind.VIEW;
            case ACTIVE -> Kind.ACTIVE;
            case COMMITTED -> Kind.COMMITTED;
        };
    }

    private static Timestamp time(long millis) {
        return Timestamp.newBuilder()
                .setSeconds(Math.floorDiv(millis, SECOND_MILLIS))
                .setNanos((int) Math.floorMod(millis, SECOND_MILLIS) * MILLI_NANOS)
                .build();
    }
}
