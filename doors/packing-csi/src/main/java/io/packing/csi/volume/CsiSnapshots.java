// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The snapshots of volumes. A snapshot is a clone of its volume that no node mounts. No row is copied; volume, snapshot and clones of the
 * snapshot may be deleted in any order.
 */
public final class CsiSnapshots {
    private final CsiTree tree;
    private final Clock clock;

    public CsiSnapshots(CsiTree tree, Clock clock) {
        this.tree = tree;
        this.clock = clock;
    }

    /** Takes a snapshot, unless the volume has one of this name. */
    public CsiSnapshot create(String name, String volume) throws IOException {
        CsiKey key = CsiKey.ofName("snapshot", name);
        Optional<CsiId> source = tree.known(CsiTree.Kind.VOLUME, volume);
        Optional<SnapshotRecord> there = read(key);
        if (there.isPresent()) {
            return same(key, there.get(), name, source);
        }
        CsiId of = source.orElseThrow(() -> CsiTree.missing(CsiTree.Kind.VOLUME, volume));
        SnapshotRecord record = new SnapshotRecord(name, of, clock.millis(), capacity(of), Optional.empty());
        Optional<VectorResult.Refused> refused = tree.apply(operations(key, record));
        if (refused.isPresent()) {
            Optional<SnapshotRecord> other = read(key);
            if (refused.get().reason() == Outcome.EXISTS && other.isPresent()) {
                return same(key, other.get(), name, source);
            }
            throw refusal(of, refused.get());
        }
        return new CsiSnapshot(tree.id(key), record);
    }

    private CsiSnapshot same(CsiKey key, SnapshotRecord there, String name, Optional<CsiId> source) throws IOException {
        if (!there.name().equals(name) || !Optional.of(there.volume()).equals(source)) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.ALREADY_EXISTS,
                    "the snapshot '%s' is there, of the volume %s".formatted(there.name(), there.volume()));
        }
        return new CsiSnapshot(tree.id(key), there);
    }

    /** Returns the capacity of a volume, which has to be there. */
    long capacity(CsiId volume) throws IOException {
        ExtendedValue value = tree.record(CsiTree.Kind.VOLUME, volume.key())
                .orElseThrow(() -> CsiTree.missing(CsiTree.Kind.VOLUME, volume));
        return VolumeRecord.decode(tree.directory(CsiTree.Kind.VOLUME, volume.key()), value)
                .capacity();
    }

    /** Returns the operations that take a snapshot. */
    List<Operation> operations(CsiKey key, SnapshotRecord record) {
        List<Operation> operations = new ArrayList<>(tree.make(CsiTree.Kind.SNAPSHOT, key, record.encode()));
        operations.add(new Operation.CloneDirectory(
                tree.data(CsiTree.Kind.VOLUME, record.volume().key()), tree.data(CsiTree.Kind.SNAPSHOT, key)));
        return operations;
    }

    static IOException refusal(Object of, VectorResult.Refused refused) {
        return refused.reason() == Outcome.NOT_FOUND
                ? CsiTree.missing(CsiTree.Kind.VOLUME, of)
                : new IOException("no snapshot of %s was taken: %s".formatted(of, refused.reason()));
    }

    private Optional<SnapshotRecord> read(CsiKey key) throws IOException {
        Optional<ExtendedValue> value = tree.record(CsiTree.Kind.SNAPSHOT, key);
        return value.map(found -> SnapshotRecord.decode(tree.directory(CsiTree.Kind.SNAPSHOT, key), found));
    }

    /** Returns a snapshot; empty: there is none of this id. */
    public Optional<CsiSnapshot> find(String id) throws IOException {
        Optional<CsiId> known = tree.known(CsiTree.Kind.SNAPSHOT, id);
        Optional<SnapshotRecord> record =
                known.isEmpty() ? Optional.empty() : read(known.get().key());
        return record.map(found -> new CsiSnapshot(known.get(), found));
    }

    /** Returns a snapshot, which has to be there. */
    public CsiSnapshot get(String id) throws IOException {
        return find(id).orElseThrow(() -> CsiTree.missing(CsiTree.Kind.SNAPSHOT, id));
    }

    /** Deletes a snapshot that is not part of a group. Volumes that are clones of it stay. */
    public void delete(String id) throws IOException {
        Optional<CsiSnapshot> snapshot = find(id);
        if (snapshot.isEmpty()) {
            return;
        }
        if (snapshot.get().record().group().isPresent()) {
            throw CsiRefusal.invalid("the snapshot %s is part of the group snapshot %s: delete that"
                    .formatted(id, snapshot.get().record().group().get()));
        }
        tree.delete(CsiTree.Kind.SNAPSHOT, snapshot.get().id().key());
    }

    /**
     * Lists snapshots in the order of their keys.
     *
     * @param volume empty: of all volumes
     * @param most 0: no limit
     */
    public CsiListing<CsiSnapshot> list(String volume, String token, int most) throws IOException {
        return tree.list(CsiTree.Kind.SNAPSHOT, token, most, key -> {
            Optional<SnapshotRecord> record = read(key)
                    .filter(found ->
                            volume.isEmpty() || found.volume().toString().equals(volume));
            return record.isEmpty() ? Optional.empty() : Optional.of(new CsiSnapshot(tree.id(key), record.get()));
        });
    }
}
