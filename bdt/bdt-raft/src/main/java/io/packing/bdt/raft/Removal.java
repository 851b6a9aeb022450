// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import io.packing.bdt.NotLeaderException;
import io.packing.bdt.master.MasterGroupOptions;
import io.packing.bdt.raft.group.MasterGroupState;
import io.packing.bdt.raft.group.ReplicatedTables;
import io.packing.bdt.raft.ratis.MemberClient;
import io.packing.bdt.raft.ratis.RaftNode;
import io.packing.bdt.raft.ratis.RatisOptions;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A detector of this member's removal from its group by an operator. Raft does not report a removal: the other members
 * just send it no more messages, as if no master led. One thread steps it, and all threads read its result.
 */
final class Removal {
    private static final Logger LOG = LoggerFactory.getLogger(Removal.class);
    /** The rounds of questions: the second one also asks members that the answers of the first one name. */
    private static final int ROUNDS = 2;

    private final MasterGroupOptions terms;
    private final RatisOptions settings;
    private final UUID group;
    private final ReplicatedTables tables;
    private final RaftNode node;
    private volatile Optional<Found> found = Optional.empty();

    /** @param group of which this member was a part */
    Removal(MasterGroupOptions terms, RatisOptions settings, UUID group, ReplicatedTables tables, RaftNode node) {
        this.terms = terms;
        this.settings = settings;
        this.group = group;
        this.tables = tables;
        this.node = node;
    }

    /**
     * A group without this member.
     *
     * @param message for clients and operators
     * @param address of another member for clients; empty if unknown
     */
    private record Found(String message, Optional<String> address) {}

    /** Returns the problem for operators; empty if the member belongs to its group, as far as it knows. */
    Optional<String> problem() {
        return found.map(Found::message);
    }

    /** Returns the answer to clients; empty if the member belongs to its group, as far as it knows. */
    Optional<NotLeaderException> refusal() {
        return found.map(now -> new NotLeaderException(now.message(), now.address()));
    }

    /** Asks the other members when this one hears of no leader. */
    void step() {
        if (tables.member(terms.id()).isEmpty()) {
            // The group has not let this member in yet: it waits for that.
            return;
        }
        if (node.leader().isPresent() && members().containsKey(terms.id())) {
            found = Optional.empty();
            return;
        }
        Optional<Map<String, String>> now = groupWithoutThis();
        if (now.isPresent() && found.isEmpty()) {
            found = Optional.of(told(now.get()));
            LOG.error("{}", found.get().message());
        }
    }

    private Found told(Map<String, String> members) {
        String where = members.entrySet().stream()
                .map(each -> "%s at %s"
                        .formatted(each.getKey(), address(each.getKey()).orElse(each.getValue() + " (Raft)")))
                .collect(Collectors.joining(", "));
        Optional<String> first = members.keySet().stream()
                .flatMap(each -> address(each).stream())
                .findFirst();
        return new Found(
                "this master, member %s, was removed from its group, which is now %s: give clients these addresses, and stop this master"
                        .formatted(terms.id(), where),
                first);
    }

    private Optional<String> address(String member) {
        return tables.member(member).map(MasterGroupState.Member::address).filter(text -> !text.isEmpty());
    }

    private Map<String, String> members() {
        try {
            return node.members();
        } catch (IOException e) {
            // Raft has ended here, as in each member that the others have removed.
            return Map.of();
        }
    }

    /**
     * Returns the members if a majority of them agrees on the list, and this one is not in it. A minority may be
     * behind, so its word does not count. Had a later majority let this member in again, one of the answering majority
     * would know it.
     */
    private Optional<Map<String, String>> groupWithoutThis() {
        Map<String, String> known = new HashMap<>(Joining.addresses(terms.peers()));
        known.putAll(members());
        Map<String, Map<String, String>> said = new HashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            ask(known, said);
            said.values().forEach(known::putAll);
        }
        return said.values().stream()
                .filter(members -> !members.containsKey(terms.id()))
                .filter(members -> 2
                                * members.keySet().stream()
                                        .filter(each -> members.equals(said.get(each)))
                                        .count()
                        > members.size())
                .findFirst();
    }

    private void ask(Map<String, String> known, Map<String, Map<String, String>> said) {
        try (MemberClient client = new MemberClient(group, known, settings, 1)) {
            for (String each : known.keySet()) {
                if (!each.equals(terms.id()) && !said.containsKey(each)) {
                    ask(client, each).ifPresent(members -> said.put(each, members));
                }
            }
        } catch (IOException e) {
            LOG.debug("a client of the group did not close cleanly", e);
        }
    }

    private Optional<Map<String, String>> ask(MemberClient client, String member) {
        try {
            return Optional.of(new TreeMap<>(client.members(member, group)));
        } catch (IOException e) {
            LOG.debug("member {} does not say who is in the group", member, e);
            return Optional.empty();
        }
    }
}
