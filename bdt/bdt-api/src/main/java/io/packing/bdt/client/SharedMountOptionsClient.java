// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import io.packing.bdt.MovedException;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.MountRequest;
import io.packing.bdt.rpc.OptionsReply;
import io.packing.bdt.rpc.SetOptionsRequest;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The calls by which an operator sets the options of a mount for all its clients ({@link io.packing.bdt.SharedMountOptions}). Thread-safe. */
public final class SharedMountOptionsClient {
    private final FederationChannels groups;
    private final UnaryOperator<Map<String, String>> sent;

    /** @param sent selects the options of a mount that go to a master */
    SharedMountOptionsClient(FederationChannels groups, UnaryOperator<Map<String, String>> sent) {
        this.groups = groups;
        this.sent = sent;
    }

    /**
     * The options of a mount for all its clients.
     *
     * @param mount name of the mount
     * @param options all with their values, by key
     * @param set keys of those that were set; the others have their defaults
     */
    public record MountOptionsReply(String mount, Map<String, String> options, Set<String> set) {
        public MountOptionsReply {
            options = Collections.unmodifiableMap(new TreeMap<>(options));
            set = Collections.unmodifiableSet(new TreeSet<>(set));
        }
    }

    /**
     * Makes a mount with these options.
     *
     * @throws IllegalArgumentException when it exists already
     */
    public MountOptionsReply create(Map<String, String> options) throws IOException {
        return create("", options);
    }

    /**
     * Makes a mount with these options, which users call by a name.
     *
     * @param name empty: its id
     * @throws IllegalArgumentException when it exists already, or another mount has the name
     */
    public MountOptionsReply create(String name, Map<String, String> options) throws IOException {
        MountCalls made = MountCalls.create(groups, name, sent.apply(options));
        return show(made.master(), made.id());
    }

    /**
     * Asks for the options by which a client reaches a mount's store, without credentials.
     *
     * @param name the mount's name or id; empty: the only mount of the master
     * @param options of the mount that the caller knows, without its store
     * @throws io.packing.bdt.DeniedException when the caller may not know the store
     */
    public Found find(String name, Map<String, String> options) throws IOException {
        MountCalls found = MountCalls.find(groups, name, sent.apply(options));
        if (found.store().isEmpty()) {
            throw new IOException("the BDT master does not say where the store of mount %s is".formatted(found.id()));
        }
        return new Found(found.id(), found.store());
    }

    /**
     * A mount that a master knows.
     *
     * @param mount its id
     * @param store the options by which a client reaches its store
     */
    public record Found(String mount, Map<String, String> store) {
        public Found {
            store = Collections.unmodifiableMap(new TreeMap<>(store));
        }
    }

    /** Opens a mount by the options that lead to its store; returns its name. */
    public String open(Map<String, String> options) throws IOException {
        return MountCalls.open(groups, sent.apply(options)).id();
    }

    /** Shows the options of an open mount. */
    public MountOptionsReply show(String mount) throws IOException {
        return show(groups.home(), mount);
    }

    private MountOptionsReply show(MasterChannel first, String mount) throws IOException {
        MountRequest request = MountRequest.newBuilder().setMount(mount).build();
        return told(call("options of " + mount, first, stub -> stub.options(request)));
    }

    /** Changes options of an open mount; they bind all its clients when this returns. */
    public MountOptionsReply set(String mount, Map<String, String> options) throws IOException {
        SetOptionsRequest request = SetOptionsRequest.newBuilder()
                .setMount(mount)
                .putAllOptions(options)
                .build();
        return told(call("set options of " + mount, groups.home(), stub -> stub.setOptions(request)));
    }

    private static MountOptionsReply told(OptionsReply reply) {
        return new MountOptionsReply(reply.getMount(), reply.getOptionsMap(), Set.copyOf(reply.getSetList()));
    }

    private <T> T call(String what, MasterChannel first, Function<BdtGrpc.BdtBlockingStub, T> call) throws IOException {
        MasterChannel master = first;
        for (int moves = 1; ; moves++) {
            try {
                return master.call(what, call);
            } catch (MovedException e) {
                master = groups.follow(e, moves);
            }
        }
    }
}
