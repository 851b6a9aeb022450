// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import com.google.common.net.HostAndPort;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A master's membership of a group of masters.
 *
 * @param id of this member
 * @param peers where members speak Raft, by their ids; in the order in which the operator names them
 * @param bind where this member does; empty: at its own entry of the peers
 * @param join whether the group is there, and lets this member in
 * @param lease for how long a leader may answer after a majority was heard of
 */
public record MasterGroupOptions(
        String id, Map<String, HostAndPort> peers, Optional<HostAndPort> bind, boolean join, Duration lease) {
    public static final Duration USUAL_LEASE = Duration.ofSeconds(1);

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(200);
    private static final Duration LONGEST_LEASE = Duration.ofMinutes(1);

    public static final Option<Map<String, HostAndPort>> PEERS = new Option<>(
            "bdt.raft.peers",
            "",
            "The masters of a group, where they speak Raft: id=host:port, with commas, one list for all. Empty: "
                    + "this master is alone.",
            MasterGroupOptions::peers);
    public static final Option<String> ID =
            new Option<>("bdt.raft.id", "", "Which of bdt.raft.peers this master is.", Parsers::text);
    public static final Option<Optional<HostAndPort>> BIND = new Option<>(
            "bdt.raft.bind",
            "",
            "host:port to listen on for Raft; empty: the address that bdt.raft.peers has of this master.",
            text -> text.isBlank() ? Optional.empty() : Optional.of(address(text)));
    public static final Option<Boolean> JOIN = new Option<>(
            "bdt.raft.join",
            "false",
            "Whether the group is there already and this master, whose directory is new, becomes one of it.",
            Parsers::flag);
    public static final Option<Duration> RAFT_LEASE = new Option<>(
            "bdt.raft.lease",
            "1s",
            "The time for which a leader may answer after it heard of most others. Others that do not hear of it "
                    + "for 1 to 1.3 leases elect another one, which answers a lease later.",
            MasterGroupOptions::lease);

    /** All of them, in the order of the reference table. */
    public static final List<Option<?>> OPTIONS = List.of(PEERS, ID, BIND, JOIN, RAFT_LEASE);

    public MasterGroupOptions {
        peers = new LinkedHashMap<>(peers);
        if (!peers.containsKey(id)) {
            throw new IllegalArgumentException("option %s: '%s' is none of %s, which are in %s"
                    .formatted(ID.key(), id, peers.keySet(), PEERS.key()));
        }
    }

    /** Empty: the options are those of a master that is alone. */
    public static Optional<MasterGroupOptions> from(Map<String, String> raw) {
        Options options = Options.check(raw, "bdt.", BdtMasterOptions.OPTIONS);
        Map<String, HostAndPort> peers = options.get(PEERS);
        if (peers.isEmpty()) {
            for (Option<?> other : List.of(ID, BIND, JOIN)) {
                if (options.isSet(other)) {
                    throw new IllegalArgumentException(
                            "option %s is for a master of a group: set %s as well".formatted(other.key(), PEERS.key()));
                }
            }
            return Optional.empty();
        }
        return Optional.of(new MasterGroupOptions(
                options.get(ID), peers, options.get(BIND), options.get(JOIN), options.get(RAFT_LEASE)));
    }

    /** Returns this member's Raft address, as the other members know it. */
    public HostAndPort own() {
        HostAndPort own = peers.get(id);
        if (own == null) {
            throw new IllegalStateException("no peer " + id);
        }
        return own;
    }

    /** Reads a list of peers. */
    public static Map<String, HostAndPort> peers(String text) {
        Map<String, HostAndPort> peers = new LinkedHashMap<>();
        if (text.isBlank()) {
            return peers;
        }
        for (String each : text.split(",", -1)) {
            int equals = each.indexOf('=');
            String id = equals < 0 ? "" : each.substring(0, equals).strip();
            if (!id.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
                throw new IllegalArgumentException("'%s' is not id=host:port".formatted(each));
            }
            HostAndPort address = address(each.substring(equals + 1).strip());
            if (peers.containsValue(address) || peers.put(id, address) != null) {
                throw new IllegalArgumentException("'%s': the id or the address is there twice".formatted(each));
            }
        }
        return peers;
    }

    private static HostAndPort address(String text) {
        HostAndPort address = HostAndPort.fromString(text);
        if (!address.hasPort() || address.getPort() == 0 || address.getHost().isBlank()) {
            throw new IllegalArgumentException("'%s' is not host:port".formatted(text));
        }
        return address;
    }

    private static Duration lease(String text) {
        Duration lease = Parsers.duration(text);
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("expected a duration from 200ms to 1m");
        }
        return lease;
    }
}
