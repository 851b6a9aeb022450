// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Groups of snapshots. One vector takes all snapshots of a group: they show their volumes at one moment. */
public final class CsiGroups {
    /** The most volumes of a group, whose ids are in one record. */
    static final int MOST_VOLUMES = 500;

    private final CsiTree tree;
    private final CsiSnapshots snapshots;
    private final Clock clock;

    public CsiGroups(CsiTree tree, CsiSnapshots snapshots, Clock clock) {
        this.tree = tree;
        this.snapshots = snapshots;
        this.clock = clock;
    }

    /** A group with its snapshots. */
    public record Group(CsiId id, GroupRecord record, List<CsiSnapshot> snapshots) {
        public Group {
            snapshots = List.copyOf(snapshots);
        }
    }

    /** Takes snapshots of volumes, unless there is a group of this name with them. */
    public Group create(String name, List<String> volumes) throws IOException {
        CsiKey key = CsiKey.ofName("group snapshot", name);
        if (volumes.isEmpty() || volumes.size() > MOST_VOLUMES || new HashSet<>(volumes).size() < volumes.size()) {
            throw CsiRefusal.invalid("a group snapshot is of 1 to %d volumes, each named once".formatted(MOST_VOLUMES));
        }
        Optional<GroupRecord> there = read(key);
        if (there.isPresent()) {
            return same(key, there.get(), name, volumes);
        }
        CsiId group = tree.id(key);
        long now = clock.millis();
        List<CsiId> sources = new ArrayList<>();
        List<CsiId> members = new ArrayList<>();
        List<Operation> operations = new ArrayList<>();
        for (String each : volumes) {
            CsiId source =
                    tree.known(CsiTree.Kind.VOLUME, each).orElseThrow(() -> CsiTree.missing(CsiTree.Kind.VOLUME, each));
            CsiKey member = CsiKey.hashed("member of group\n" + name + "\n" + source);
            SnapshotRecord record =
                    new SnapshotRecord(name, source, now, snapshots.capacity(source), Optional.of(group));
            sources.add(source);
            members.add(tree.id(member));
            operations.addAll(snapshots.operations(member, record));
        }
        GroupRecord record = new GroupRecord(name, now, sources, members);
        operations.addAll(tree.make(CsiTree.Kind.GROUP, key, record.encode()));
        Optional<VectorResult.Refused> refused = tree.apply(operations);
        if (refused.isPresent()) {
            Optional<GroupRecord> other = read(key);
            if (refused.get().reason() == Outcome.EXISTS && other.isPresent()) {
                return same(key, other.get(), name, volumes);
            }
            throw CsiSnapshots.refusal(name, refused.get());
        }
        return group(key, record);
    }

    private Group same(CsiKey key, GroupRecord there, String name, List<String> volumes) throws IOException {
        Set<String> sources = new HashSet<>();
        there.volumes().forEach(each -> sources.add(each.toString()));
        if (!there.name().equals(name) || !sources.equals(new HashSet<>(volumes))) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.ALREADY_EXISTS,
                    "the group snapshot '%s' is there, of other volumes".formatted(there.name()));
        }
        return group(key, there);
    }

    private Group group(CsiKey key, GroupRecord record) throws IOException {
        List<CsiSnapshot> members = new ArrayList<>();
        for (CsiId each : record.snapshots()) {
            Optional<CsiSnapshot> member = snapshots.find(each.toString());
            member.ifPresent(members::add);
        }
        return new Group(tree.id(key), record, members);
    }

    private Optional<GroupRecord> read(CsiKey key) throws IOException {
        Optional<ExtendedValue> value = tree.record(CsiTree.Kind.GROUP, key);
        return value.map(found -> GroupRecord.decode(tree.directory(CsiTree.Kind.GROUP, key), found));
    }

    private Optional<Group> find(String id, List<String> members) throws IOException {
        Optional<CsiId> known = tree.known(CsiTree.Kind.GROUP, id);
        Optional<GroupRecord> record =
                known.isEmpty() ? Optional.empty() : read(known.get().key());
        if (record.isEmpty()) {
            return Optional.empty();
        }
        Group group = group(known.get().key(), record.get());
        Set<String> own = new HashSet<>();
        group.record().snapshots().forEach(each -> own.add(each.toString()));
        if (!own.containsAll(members)) {
            throw CsiRefusal.invalid(
                    "the group snapshot %s has %d snapshots, and not all that are named".formatted(id, own.size()));
        }
        return Optional.of(group);
    }

    /**
     * Returns a group, which has to be there.
     *
     * @param members that the caller knows
     */
    public Group get(String id, List<String> members) throws IOException {
        return find(id, members).orElseThrow(() -> CsiTree.missing(CsiTree.Kind.GROUP, id));
    }

    /** Deletes a group with its snapshots, the record last: a call that ended in between is repeated. */
    public void delete(String id, List<String> members) throws IOException {
        Optional<Group> group = find(id, members);
        if (group.isEmpty()) {
            return;
        }
        for (CsiId each : group.get().record().snapshots()) {
            tree.delete(CsiTree.Kind.SNAPSHOT, each.key());
        }
        tree.delete(CsiTree.Kind.GROUP, group.get().id().key());
    }
}
