// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import io.packing.bdt.MovedException;
import io.packing.bdt.UnavailableException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The connections to master groups: to the one that the caller named, and to those with other mounts. Thread-safe. */
final class FederationChannels {
    /** The most groups that may name each other, in turn, before a call is given up. */
    static final int MOST_MOVES = 8;
    /** The most other groups that one client goes to. */
    private static final int MOST_GROUPS = 64;

    private final MasterChannel home;
    private final Function<List<String>, MasterChannel> opener;
    private final Map<String, MasterChannel> others = new HashMap<>();
    private boolean closed;

    /** @param home of the group that the caller named */
    FederationChannels(MasterChannel home, Function<List<String>, MasterChannel> opener) {
        this.home = home;
        this.opener = opener;
    }

    MasterChannel home() {
        return home;
    }

    /**
     * Returns the channel to the group that another one named.
     *
     * @param moves of this call so far, this one included; it waits a little from the second on
     */
    MasterChannel follow(MovedException moved, int moves) throws IOException {
        if (moves > MOST_MOVES) {
            throw new UnavailableException(
                    "%s; groups of masters have named each other %d times. Look at the table: packing mounts list"
                            .formatted(moved.getMessage(), moves),
                    moved);
        }
        if (moves > 1) {
            home.retry().pause(moves);
        }
        return of(moved);
    }

    /** Returns the channel to the named group without a wait. */
    synchronized MasterChannel of(MovedException moved) throws IOException {
        MasterChannel known = others.get(moved.addresses());
        if (known != null) {
            return known;
        }
        List<String> addresses = Arrays.asList(moved.addresses().split(",", -1));
        if (closed || others.size() >= MOST_GROUPS || !addresses.stream().allMatch(MasterAddresses::isAddress)) {
            throw new UnavailableException("cannot follow to group %s at '%s': %s"
                    .formatted(moved.group(), moved.addresses(), closed ? "the client is closed" : "no such address"));
        }
        MasterChannel opened = opener.apply(addresses);
        others.put(moved.addresses(), opened);
        return opened;
    }

    synchronized void close() {
        closed = true;
        home.close();
        others.values().forEach(MasterChannel::close);
    }
}
