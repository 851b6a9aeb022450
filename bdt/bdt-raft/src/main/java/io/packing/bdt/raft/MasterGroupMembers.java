// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import com.google.common.net.HostAndPort;
import io.packing.bdt.master.MasterGroupOptions;
import io.packing.bdt.raft.group.MasterGroupState;
import io.packing.bdt.raft.ratis.MemberClient;
import io.packing.bdt.raft.ratis.RatisOptions;
import io.packing.transport.Security;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** The members of a group of masters, for operators: lists them, and removes one. For one thread at a time. */
public final class MasterGroupMembers implements AutoCloseable {
    private static final int TRIES = 10;

    /**
     * A member.
     *
     * @param raft address of its Raft port
     * @param address for clients; empty if the group does not know it yet
     * @param starts number of its starts
     */
    public record Member(String id, String raft, String address, long starts) {}

    private final Set<String> known;
    private final UUID group;
    private final MemberClient client;

    private MasterGroupMembers(Set<String> known, UUID group, MemberClient client) {
        this.known = known;
        this.group = group;
        this.client = client;
    }

    /**
     * Connects to the first reachable member of a list.
     *
     * @throws IOException if no member can be reached
     */
    public static MasterGroupMembers connect(Map<String, HostAndPort> peers, Security security) throws IOException {
        // This client listens on no port.
        RatisOptions settings = new RatisOptions(
                Path.of("."), "127.0.0.1", 0, MasterGroupOptions.USUAL_LEASE, 1_000, 1 << 20, security.tls());
        Map<String, String> addresses = Joining.addresses(peers);
        IOException last = new IOException("there are no peers");
        for (String peer : peers.keySet()) {
            try (MemberClient any = new MemberClient(Joining.named(peers), addresses, settings, 1)) {
                UUID group = any.groupsOf(peer).stream()
                        .findFirst()
                        .orElseThrow(() -> new IOException(peer + " is no member of a group"));
                Map<String, String> members = any.members(peer, group);
                return new MasterGroupMembers(
                        members.keySet(), group, new MemberClient(group, members, settings, TRIES));
            } catch (IOException e) {
                last = e;
            }
        }
        throw new IOException("none of %s answers: %s".formatted(addresses, last.getMessage()), last);
    }

    /** Returns all members, in the order of their ids. */
    public List<Member> all() throws IOException {
        MasterGroupState state = client.state();
        List<Member> all = new ArrayList<>();
        new TreeMap<>(members()).forEach((id, raft) -> {
            Optional<MasterGroupState.Member> known = state.member(id);
            all.add(new Member(
                    id,
                    raft,
                    known.map(MasterGroupState.Member::address).orElse(""),
                    known.map(MasterGroupState.Member::starts).orElse(0L)));
        });
        return all;
    }

    /** Returns the members by the answer of one that can be reached. */
    private Map<String, String> members() throws IOException {
        IOException last = new IOException("no member is known");
        for (String each : known) {
            try {
                return client.members(each, group);
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    /** Removes a member from the group, whether it runs or not. */
    public void remove(String id) throws IOException {
        Map<String, String> members = new TreeMap<>(members());
        if (members.remove(id) == null) {
            throw new IllegalArgumentException("'%s' is none of the members %s".formatted(id, members.keySet()));
        }
        if (members.isEmpty()) {
            throw new IllegalArgumentException("'%s' is the only member".formatted(id));
        }
        client.replace(members);
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
