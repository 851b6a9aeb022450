// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * The states that one client gave to one name, in their order. Only that client changes the name. A state whose call failed may be there
 * or not.
 */
final class NameHistory {
    /** The state of a name that is absent; any other is the number of a content. */
    static final long ABSENT = -1;

    private final List<Long> states = new ArrayList<>(List.of(ABSENT));
    /** The newest state that was acknowledged. */
    private int acknowledged;

    /** Notes that a call begins to give a state; returns its number. */
    int begin(long state) {
        states.add(state);
        return states.size() - 1;
    }

    void acknowledge(int number) {
        acknowledged = number;
    }

    int acknowledged() {
        return acknowledged;
    }

    /** Returns true if the last call was acknowledged. */
    boolean isCertain() {
        return acknowledged == states.size() - 1;
    }

    long state() {
        return states.get(acknowledged);
    }

    /** Returns true if a reader that began at an acknowledged state may find this one. */
    boolean allows(int from, long found) {
        return states.subList(from, states.size()).contains(found);
    }

    /** Returns true if this was ever a state. */
    boolean knows(long found) {
        return states.contains(found);
    }
}
