// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import io.packing.bdt.MountHomes;
import io.packing.bdt.MovedException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.HomesCodec;
import io.packing.bdt.rpc.MountNotOpenException;
import io.packing.bdt.rpc.OpenReply;
import io.packing.bdt.rpc.OpenRequest;
import java.io.IOException;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The calls for a mount at a master. They open it again when the master has restarted, and follow it to another master
 * group.
 */
final class MountCalls {
    private final FederationChannels groups;
    private volatile OpenRequest open;
    private volatile MasterChannel master;
    /** The master to ask next when the current one is away. */
    private volatile MasterChannel other;

    private volatile String id = "";
    private volatile String encryptionKey = "";
    private volatile Map<String, String> options = Map.of();
    private volatile boolean withholdsPlaces;
    private volatile Map<String, String> store = Map.of();
    private volatile MountHomes homes = MountHomes.NONE;

    private MountCalls(FederationChannels groups, OpenRequest open) {
        this.groups = groups;
        this.master = groups.home();
        this.other = groups.home();
        this.open = open;
    }

    static MountCalls open(FederationChannels groups, Map<String, String> options) throws IOException {
        return open(groups, OpenRequest.newBuilder().putAllOptions(options).build());
    }

    /** Makes a new mount; the name may be empty. */
    static MountCalls create(FederationChannels groups, String name, Map<String, String> options) throws IOException {
        return open(
                groups,
                OpenRequest.newBuilder()
                        .putAllOptions(options)
                        .setCreate(true)
                        .setMount(name)
                        .build());
    }

    /** Opens a mount that has this name, or the only one. */
    static MountCalls find(FederationChannels groups, String name, Map<String, String> options) throws IOException {
        return open(
                groups,
                OpenRequest.newBuilder().putAllOptions(options).setMount(name).build());
    }

    private static MountCalls open(FederationChannels groups, OpenRequest request) throws IOException {
        MountCalls mount = new MountCalls(groups, request);
        mount.reopen();
        // The master has compared the options now. An operator may change the mount's options later, while clients use
        // it.
        mount.open = mount.open.toBuilder().setAgain(true).setCreate(false).build();
        return mount;
    }

    void reopen() throws IOException {
        for (int moves = 1; ; moves++) {
            try {
                OpenReply reply = master.call("open", stub -> stub.open(open));
                id = reply.getMount();
                encryptionKey = reply.getEncryptionKey();
                options = reply.getOptionsMap();
                withholdsPlaces = reply.getWithholdsPlaces();
                store = reply.getStoreMap();
                arrived(HomesCodec.decode(reply.getHomes()));
                return;
            } catch (MovedException e) {
                goTo(groups.follow(e, moves));
            }
        }
    }

    /** Takes homes. A master that lost its disk finds the mount only where it is now, so later openings name that place. */
    private void arrived(MountHomes told) {
        homes = told;
        if (!told.isUsual()) {
            OpenRequest.Builder next = open.toBuilder();
            MountHomes.of(open.getOptionsMap()).keySet().forEach(next::removeOptions);
            open = next.putAllOptions(told.places().get(0)).build();
        }
    }

    /** Returns the places of the blobs; asks the master for them, or tells those of the last time. */
    MountHomes homes(boolean again) throws IOException {
        if (again) {
            reopen();
        }
        return homes;
    }

    /** Asks another group from now on. */
    void follow(MovedException moved) throws IOException {
        goTo(groups.of(moved));
    }

    private void goTo(MasterChannel next) {
        other = groups.home();
        master = next;
    }

    /**
     * Prepares for a group that is gone for good, with the mount elsewhere: the next call asks the home group, and the
     * one after it this one.
     */
    private void leave(MasterChannel away) {
        if (master.equals(away)) {
            master = other;
            other = away;
        }
    }

    String encryptionKey() {
        return encryptionKey;
    }

    Map<String, String> options() {
        return options;
    }

    /** Returns the options that lead to the store, if the mount was opened by a name. */
    Map<String, String> store() {
        return store;
    }

    boolean withholdsPlaces() {
        return withholdsPlaces;
    }

    /** Returns an identity for a mutation that may be sent twice; the master gives both the first answer. */
    long newRequest() {
        return master.retry().nextRequest();
    }

    String id() {
        return id;
    }

    MasterChannel master() {
        return master;
    }

    <T> T call(String what, BiFunction<BdtGrpc.BdtBlockingStub, String, T> call) throws IOException {
        int reopened = 0;
        int moves = 0;
        while (true) {
            MasterChannel asked = master;
            try {
                return asked.call(what, stub -> call.apply(stub, id));
            } catch (MountNotOpenException e) {
                if (reopened++ == 3) {
                    throw e;
                }
                reopen();
            } catch (MovedException e) {
                goTo(groups.follow(e, ++moves));
            } catch (UnavailableException e) {
                leave(asked);
                throw e;
            }
        }
    }
}
