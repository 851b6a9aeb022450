// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.Quota;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The volumes of a tree. Thread-safe; two calls about one volume may not run at once. */
public final class CsiVolumes {
    /** The room of a mount without a quota, as its file systems have it. */
    private static final long ENOUGH = 1L << 50;

    private final CsiTree tree;
    private final CsiSnapshots snapshots;
    private final VolumeLimits limits;

    public CsiVolumes(CsiTree tree, CsiSnapshots snapshots, VolumeLimits limits) {
        this.tree = tree;
        this.snapshots = snapshots;
        this.limits = limits;
    }

    /** A wish for a volume. */
    public record Wish(
            String name, VolumeCapacity capacity, VolumeParameters parameters, Optional<VolumeSource> source) {}

    /** Makes a volume, unless there is one that was made by an equal wish. */
    public CsiVolume create(Wish wish) throws IOException {
        CsiKey key = CsiKey.ofName("volume", wish.name());
        Optional<VolumeRecord> there = read(key);
        if (there.isPresent()) {
            return same(key, there.get(), wish);
        }
        long least = wish.source().isPresent() ? capacity(wish.source().get()) : 0;
        VolumeRecord record =
                new VolumeRecord(wish.name(), wish.capacity().choose(least), wish.parameters(), wish.source());
        List<Operation> operations = new ArrayList<>(tree.make(CsiTree.Kind.VOLUME, key, record.encode()));
        FilePath data = tree.data(CsiTree.Kind.VOLUME, key);
        operations.add(
                wish.source().isPresent()
                        ? new Operation.CloneDirectory(data(wish.source().get()), data)
                        : new Operation.MakeDirectory(data, wish.parameters().attributes(), false));
        Optional<VectorResult.Refused> refused = tree.apply(operations);
        CsiVolume volume = new CsiVolume(tree.id(key), record);
        if (refused.isPresent()) {
            return whyNot(volume, wish, refused.get());
        }
        if (wish.source().isPresent()) {
            limits.ensureSoon(volume);
        } else {
            limits.ensure(volume);
        }
        return volume;
    }

    private CsiVolume whyNot(CsiVolume volume, Wish wish, VectorResult.Refused refused) throws IOException {
        Optional<VolumeRecord> there = read(volume.id().key());
        if (refused.reason() == Outcome.EXISTS && there.isPresent()) {
            // Another controller made it at this moment.
            return same(volume.id().key(), there.get(), wish);
        }
        if (refused.reason() == Outcome.NOT_FOUND && wish.source().isPresent()) {
            throw missing(wish.source().get());
        }
        throw new IOException("the volume %s was not made: %s".formatted(volume.id(), refused.reason()));
    }

    private CsiVolume same(CsiKey key, VolumeRecord there, Wish wish) throws IOException {
        if (!there.name().equals(wish.name())
                || !wish.capacity().accepts(there.capacity())
                || !there.parameters().equals(wish.parameters())
                || !there.source().equals(wish.source())) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.ALREADY_EXISTS,
                    "the volume '%s' is there, with another capacity (%,d bytes), other parameters or another source"
                            .formatted(there.name(), there.capacity()));
        }
        CsiVolume volume = new CsiVolume(tree.id(key), there);
        // The call before may have ended in between.
        if (there.source().isPresent()) {
            limits.ensureSoon(volume);
        } else {
            limits.ensure(volume);
        }
        return volume;
    }

    /** Reads what a volume shall be a clone of. */
    public VolumeSource source(VolumeSource.Kind kind, String id) throws IOException {
        CsiTree.Kind of = kind == VolumeSource.Kind.VOLUME ? CsiTree.Kind.VOLUME : CsiTree.Kind.SNAPSHOT;
        return new VolumeSource(kind, tree.known(of, id).orElseThrow(() -> CsiTree.missing(of, id)));
    }

    private long capacity(VolumeSource source) throws IOException {
        return source.kind() == VolumeSource.Kind.VOLUME
                ? get(source.id().toString()).record().capacity()
                : snapshots.get(source.id().toString()).record().capacity();
    }

    private FilePath data(VolumeSource source) {
        return tree.data(kind(source), source.id().key());
    }

    private static CsiTree.Kind kind(VolumeSource source) {
        return source.kind() == VolumeSource.Kind.VOLUME ? CsiTree.Kind.VOLUME : CsiTree.Kind.SNAPSHOT;
    }

    private static CsiRefusal missing(VolumeSource source) {
        return CsiTree.missing(kind(source), source.id());
    }

    private Optional<VolumeRecord> read(CsiKey key) throws IOException {
        Optional<ExtendedValue> value = tree.record(CsiTree.Kind.VOLUME, key);
        return value.map(found -> VolumeRecord.decode(tree.directory(CsiTree.Kind.VOLUME, key), found));
    }

    /** Returns a volume; empty: there is none of this id. */
    public Optional<CsiVolume> find(String id) throws IOException {
        Optional<CsiId> known = tree.known(CsiTree.Kind.VOLUME, id);
        Optional<VolumeRecord> record =
                known.isEmpty() ? Optional.empty() : read(known.get().key());
        return record.map(found -> new CsiVolume(known.get(), found));
    }

    /** Returns a volume, which has to be there. */
    public CsiVolume get(String id) throws IOException {
        return find(id).orElseThrow(() -> CsiTree.missing(CsiTree.Kind.VOLUME, id));
    }

    /** Deletes a volume. Snapshots and clones of it stay. */
    public void delete(String id) throws IOException {
        Optional<CsiId> known = tree.known(CsiTree.Kind.VOLUME, id);
        if (known.isPresent()) {
            tree.delete(CsiTree.Kind.VOLUME, known.get().key());
        }
    }

    /**
     * Lists volumes in the order of their keys.
     *
     * @param most 0: no limit
     */
    public CsiListing<CsiVolume> list(String token, int most) throws IOException {
        return tree.list(CsiTree.Kind.VOLUME, token, most, key -> {
            Optional<VolumeRecord> record = read(key);
            return record.isEmpty() ? Optional.empty() : Optional.of(new CsiVolume(tree.id(key), record.get()));
        });
    }

    /** Gives a volume more room; a smaller wish changes none. */
    public CsiVolume expand(String id, VolumeCapacity wish) throws IOException {
        CsiVolume volume = get(id);
        long before = volume.record().capacity();
        if (before == 0) {
            // It has no limit, which no expansion gives it.
            return volume;
        }
        long capacity = wish.choose(before);
        CsiVolume larger = new CsiVolume(volume.id(), volume.record().withCapacity(capacity));
        if (capacity != before) {
            Outcome set = tree.bdt()
                    .setAttributes(
                            tree.directory(CsiTree.Kind.VOLUME, volume.id().key()),
                            CsiTree.put(larger.record().encode()));
            if (set != Outcome.DONE) {
                throw CsiTree.missing(CsiTree.Kind.VOLUME, id);
            }
        }
        limits.ensure(larger);
        return larger;
    }

    /** Returns the bytes that volumes may still have together. */
    public long available() throws IOException {
        String unused = tree.cluster();
        for (Optional<FilePath> at = Optional.of(tree.base());
                at.isPresent();
                at = at.get().parent()) {
            Optional<Quota> quota = tree.bdt().quota(at.get());
            if (quota.isPresent() && quota.get().mostBytes().isPresent()) {
                return Math.max(
                        0, quota.get().mostBytes().getAsLong() - quota.get().bytes());
            }
        }
        return ENOUGH;
    }

    /** Returns the directory that nodes mount for a volume. */
    public FilePath data(CsiId id) {
        return tree.data(CsiTree.Kind.VOLUME, id.key());
    }
}
