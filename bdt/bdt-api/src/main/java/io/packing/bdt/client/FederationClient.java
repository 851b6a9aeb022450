// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import io.packing.bdt.MountEntry;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.MovedException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.rpc.AssignRequest;
import io.packing.bdt.rpc.FederationCodec;
import io.packing.bdt.rpc.GroupTableReply;
import io.packing.bdt.rpc.GroupTableRequest;
import io.packing.bdt.rpc.GroupsGrpc;
import io.packing.bdt.rpc.MoveReply;
import io.packing.bdt.rpc.MoveRequest;
import io.packing.bdt.rpc.ReceiveReply;
import io.packing.bdt.rpc.ReceiveRequest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The calls of operators and other masters about mounts that are spread over master groups. Thread-safe. */
public final class FederationClient {
    private final FederationChannels groups;
    /** The master that was asked last to move each mount, and knows most of the move. */
    private final Map<String, MasterChannel> moving = new ConcurrentHashMap<>();

    FederationClient(FederationChannels groups) {
        this.groups = groups;
    }

    /**
     * The table of mounts.
     *
     * @param groups addresses by name, the first group first
     * @param mounts in the order of their names
     */
    public record Table(Map<String, String> groups, List<MountEntry> mounts) {}

    /** Returns the groups with their mounts. */
    public Table table() throws IOException {
        GroupTableReply reply = call("table of mounts", stub -> stub.table(GroupTableRequest.getDefaultInstance()));
        Map<String, String> named = new LinkedHashMap<>();
        reply.getGroupsList().forEach(group -> named.put(group.getName(), group.getAddresses()));
        return new Table(
                named,
                reply.getMountsList().stream().map(FederationCodec::decode).toList());
    }

    /** Assigns a mount that no group has yet. */
    public MountEntry assign(String store, String group) throws IOException {
        AssignRequest request =
                AssignRequest.newBuilder().setStore(store).setGroup(group).build();
        return FederationCodec.decode(
                call("assign " + store, stub -> stub.assign(request)).getEntry());
    }

    /**
     * Returns the progress of a move.
     *
     * @param start begins one when none is under way
     */
    public MoveProgress move(String mount, String group, boolean start) throws IOException {
        MoveRequest request = MoveRequest.newBuilder()
                .setMount(mount)
                .setGroup(group)
                .setStart(start)
                .build();
        MasterChannel first = start ? groups.home() : moving.getOrDefault(mount, groups.home());
        try {
            MoveReply reply =
                    call("move " + mount, first, asked -> moving.put(mount, asked), stub -> stub.move(request));
            return FederationCodec.decode(reply);
        } catch (UnavailableException e) {
            MasterChannel unused = moving.remove(mount);
            throw e;
        }
    }

    /** Returns an entry of the table. */
    public Optional<MountEntry> find(String mount) throws IOException {
        return change(mount, Optional.empty(), Optional.empty());
    }

    /**
     * Replaces an entry of the table if it is as expected.
     *
     * @param next entry; empty: none is replaced
     * @return the present entry
     */
    public Optional<MountEntry> change(String mount, Optional<MountEntry> expected, Optional<MountEntry> next)
            throws IOException {
        return Optional.of(call(
                        "change the table of mounts",
                        stub -> stub.change(FederationCodec.change(mount, expected, next))))
                .filter(reply -> reply.hasEntry())
                .map(reply -> FederationCodec.decode(reply.getEntry()));
    }

    /**
     * Begins the messages about a mount to this client's group, which gets it.
     *
     * @param token the number of the move
     */
    public MoveSteps steps(String mount, long token) {
        return new MoveSteps(this::receive, mount, token);
    }

    private ReceiveReply receive(ReceiveRequest step) throws IOException {
        return call("move " + step.getMount(), stub -> stub.receive(step));
    }

    private <T> T call(String what, Function<GroupsGrpc.GroupsBlockingStub, T> call) throws IOException {
        return call(what, groups.home(), asked -> {}, call);
    }

    /**
     * Calls another master first.
     *
     * @param answered receives the master that answered
     */
    private <T> T call(
            String what,
            MasterChannel first,
            Consumer<MasterChannel> answered,
            Function<GroupsGrpc.GroupsBlockingStub, T> call)
            throws IOException {
        MasterChannel master = first;
        for (int moves = 1; ; moves++) {
            try {
                T answer = master.call(what, GroupsGrpc::newBlockingStub, call);
                answered.accept(master);
                return answer;
            } catch (MovedException e) {
                master = groups.follow(e, moves);
            }
        }
    }
}
