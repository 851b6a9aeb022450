package io.packing.bdt.client;

import io.packing.bdt.MountEntry;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.MovedException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.rpc.AssignRequest;
import io.packing.bdt.rpc.GroupTableReply;
import io.packing.bdt.rpc.GroupTableRequest;
import io.packing.bdt.rpc.GroupsCodec;
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

/** What operators and other masters ask about mounts that are spread over groups of masters. Thread-safe. */
public final class GroupsClient {
    private final GroupChannels groups;
    /** Who was asked last to move a mount, and knows most of it. */
    private final Map<String, MasterChannel> moving = new ConcurrentHashMap<>();

    GroupsClient(GroupChannels groups) {
        this.groups = groups;
    }

    /**
     * The whole table.
     *
     * @param groups the addresses of each, by name, the first one first
     * @param mounts in the order of their names
     */
    public record Table(Map<String, String> groups, List<MountEntry> mounts) {}

    /** The groups, and which mount each has. */
    public Table table() throws IOException {
        GroupTableReply reply = call("table of mounts", stub -> stub.table(GroupTableRequest.getDefaultInstance()));
        Map<String, String> named = new LinkedHashMap<>();
        reply.getGroupsList().forEach(group -> named.put(group.getName(), group.getAddresses()));
        return new Table(
                named, reply.getMountsList().stream().map(GroupsCodec::decode).toList());
    }

    /** Says which group is to have a mount that no group has yet. */
    public MountEntry assign(String store, String group) throws IOException {
        AssignRequest request =
                AssignRequest.newBuilder().setStore(store).setGroup(group).build();
        return GroupsCodec.decode(
                call("assign " + store, stub -> stub.assign(request)).getEntry());
    }

    /**
     * How far a move is.
     *
     * @param start whether to begin one when none is under way
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
            return GroupsCodec.decode(reply);
        } catch (UnavailableException e) {
            MasterChannel unused = moving.remove(mount);
            throw e;
        }
    }

    /** An entry of the table. */
    public Optional<MountEntry> find(String mount) throws IOException {
        return change(mount, Optional.empty(), Optional.empty());
    }

    /**
     * Replaces an entry of the table if it is as expected.
     *
     * @param next empty: nothing is replaced
     * @return what it is now
     */
    public Optional<MountEntry> change(String mount, Optional<MountEntry> expected, Optional<MountEntry> next)
            throws IOException {
        return Optional.of(call(
                        "change the table of mounts", stub -> stub.change(GroupsCodec.change(mount, expected, next))))
                .filter(reply -> reply.hasEntry())
                .map(reply -> GroupsCodec.decode(reply.getEntry()));
    }

    /**
     * Begins to tell the group of this client of a mount that it gets.
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
     * The same, asked of somebody else first.
     *
     * @param answered is told who answered
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
