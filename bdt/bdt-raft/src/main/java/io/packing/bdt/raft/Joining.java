// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import com.google.common.net.HostAndPort;
import io.packing.bdt.master.MasterGroupOptions;
import io.packing.bdt.raft.group.MasterGroupEntry;
import io.packing.bdt.raft.group.MasterGroupState;
import io.packing.bdt.raft.group.MemberFile;
import io.packing.bdt.raft.group.ReplicatedTables;
import io.packing.bdt.raft.ratis.MemberClient;
import io.packing.bdt.raft.ratis.MemberLog;
import io.packing.bdt.raft.ratis.RatisOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check that a member may start with its directory and its list of peers: by its own file, and by the answers of
 * reachable members.
 */
final class Joining {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);

    /** Attempts to ask the leader, which the reachable members may not know yet. */
    private static final int TRIES = 10;

    private final MasterGroupOptions terms;
    private final RatisOptions settings;

    Joining(MasterGroupOptions terms, RatisOptions settings) {
        this.terms = terms;
        this.settings = settings;
    }

    /** Returns the Raft addresses in the operator's list, by members' ids. */
    static Map<String, String> addresses(Map<String, HostAndPort> peers) {
        Map<String, String> addresses = new LinkedHashMap<>();
        peers.forEach((id, address) -> addresses.put(id, address.toString()));
        return addresses;
    }

    /** Names a group by the list of its first members: another list makes another group. */
    static UUID named(Map<String, HostAndPort> peers) {
        return UUID.nameUUIDFromBytes(
                ("packing masters " + new TreeMap<>(addresses(peers))).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the next start of this member.
     *
     * @throws IllegalArgumentException naming the conflict and its remedy
     */
    MemberFile start(Path directory) throws IOException {
        Optional<MemberFile> known = MemberFile.read(directory);
        if (known.isPresent() && !known.get().id().equals(terms.id())) {
            throw new IllegalArgumentException("%s is the directory of member %s, and this master is %s by %s"
                    .formatted(directory, known.get().id(), terms.id(), MasterGroupOptions.ID.key()));
        }
        Map<String, Set<UUID>> others = others();
        MemberFile before = known.orElseGet(() -> new MemberFile(
                terms.id(),
                UUID.randomUUID().toString(),
                (terms.join() ? theirs(others) : named(terms.peers())).toString(),
                0));
        UUID group = UUID.fromString(before.group());
        others.forEach((peer, groups) -> {
            if (!groups.contains(group)) {
                throw new IllegalArgumentException(
                        ("member %s at %s belongs to another group of masters. All members of a new group need the same"
                                        + " %s, which is %s here; a master that joins an existing group needs %s=true and"
                                        + " an empty directory")
                                .formatted(
                                        peer,
                                        terms.peers().get(peer),
                                        MasterGroupOptions.PEERS.key(),
                                        addresses(terms.peers()),
                                        MasterGroupOptions.JOIN.key()));
            }
        });
        if (!others.isEmpty()) {
            checkDisk(group, before, directory, others.keySet());
        }
        return before.started(directory);
    }

    /** Returns the groups of each other member that can be reached. */
    private Map<String, Set<UUID>> others() throws IOException {
        Map<String, Set<UUID>> groups = new LinkedHashMap<>();
        try (MemberClient client = new MemberClient(named(terms.peers()), addresses(terms.peers()), settings, 1)) {
            for (String peer : terms.peers().keySet()) {
                if (!peer.equals(terms.id())) {
                    try {
                        groups.put(peer, new HashSet<>(client.groupsOf(peer)));
                    } catch (IOException e) {
                        LOG.info("member {} cannot be reached yet: {}", peer, e.toString());
                    }
                }
            }
        }
        return groups;
    }

    private UUID theirs(Map<String, Set<UUID>> others) {
        List<UUID> all =
                others.values().stream().flatMap(Set::stream).distinct().toList();
        if (all.size() != 1) {
            throw new IllegalArgumentException(
                    "%s=true needs one existing group: the members of %s that answer belong to %d groups"
                            .formatted(MasterGroupOptions.JOIN.key(), addresses(terms.peers()), all.size()));
        }
        return all.get(0);
    }

    /**
     * Requires that the group accepts this start: a member without its votes and acknowledged entries must not take
     * part.
     */
    private void checkDisk(UUID group, MemberFile before, Path directory, Set<String> others) throws IOException {
        try (MemberClient client = new MemberClient(group, addresses(terms.peers()), settings, TRIES)) {
            // The leader's own log may be the only one with entries that this member forgot. It cannot lead without a
            // majority then, and its answer is needed most.
            long needed = -1;
            for (String peer : others) {
                needed = Math.max(needed, reported(client, peer, before.id()));
            }
            Optional<MasterGroupState> state = state(client);
            if (state.isPresent()) {
                MasterGroupEntry.Member next =
                        new MasterGroupEntry.Member(before.id(), before.instance(), before.starts() + 1, "");
                if (!state.get().accepts(next)) {
                    throw new IllegalArgumentException(oldDisk(before.id()));
                }
                needed = Math.max(needed, acknowledged(client, before.id()));
            }
            // A copy from the time since the last start has the right number of starts, and too short a log.
            long there = Math.max(MemberLog.end(settings, group), ReplicatedTables.savedIndex(directory));
            if (there < needed) {
                LOG.error("the log of member {} ends at {}, and it has acknowledged {}", before.id(), there, needed);
                throw new IllegalArgumentException(oldDisk(before.id()));
            }
        }
    }

    private static Optional<MasterGroupState> state(MemberClient client) {
        try {
            return Optional.of(client.state());
        } catch (IOException e) {
            LOG.info("no master leads the group yet, so that it cannot check this member's disk: {}", e.toString());
            return Optional.empty();
        }
    }

    private static long reported(MemberClient client, String peer, String id) {
        try {
            return client.reported(peer, id);
        } catch (IOException e) {
            LOG.info("member {} cannot tell how far member {} had the log: {}", peer, id, e.toString());
            return -1;
        }
    }

    private static long acknowledged(MemberClient client, String id) {
        try {
            return client.acknowledged(id);
        } catch (IOException e) {
            LOG.info("the leader cannot tell how far member {} has acknowledged the log: {}", id, e.toString());
            return -1;
        }
    }

    static String oldDisk(String id) {
        return ("the group of masters knows a newer or another directory of member %s than this one, which was replaced, restored"
                        + " or copied. A member that forgot what it acknowledged may lose changes: remove %s from the group (packing"
                        + " masters --remove %s), empty this directory, and start it as a new member with another id and %s=true")
                .formatted(id, id, id, MasterGroupOptions.JOIN.key());
    }
}
