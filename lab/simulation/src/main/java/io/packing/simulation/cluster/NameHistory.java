// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The states that one client gave to one name, in their order. Only that client changes the name. A state whose call failed may be there
 * or not.
 */
final class NameHistory {
    /** The state of a name that is absent; any other is the number of a content. */
    static final long ABSENT = -1;

    private final List<Long> states = new ArrayList<>(List.of(ABSENT));
    /** The newest state that was acknowledged and still has to come back. */
    private int acknowledged;

    /** The oldest state that a read may find before the workers have come back to a new table. */
    private int readable;

    /** The newest acknowledged state that a write gave. */
    private int written;

    /** States from before this one have seen the loss of the master's table. */
    private int lossAt;

    /** Acknowledged states whose versions their workers may not know any more. */
    private final Set<Integer> unknown = new HashSet<>();

    /** Writes without an answer, whose versions their workers may not know either. */
    private final Set<Integer> unanswered = new HashSet<>();

    /** The states of names that were renamed to this one. */
    private final Set<Long> inherited = new HashSet<>();

    /** Notes that a call begins to give a state; returns its number. */
    int begin(long state) {
        states.add(state);
        return states.size() - 1;
    }

    /** Notes that the newest call was answered, and changed nothing. */
    void withdraw(int number) {
        if (number != states.size() - 1) {
            throw new IllegalArgumentException("%d is not the newest of %d states".formatted(number, states.size()));
        }
        long unused = states.remove(number);
    }

    /** Notes that a write was acknowledged. */
    void acknowledgeWrite(int number) {
        written = number;
        acknowledge(number);
    }

    /** Notes that a delete or a rename was acknowledged. If the table was lost meanwhile, it may be undone. */
    void acknowledgeChange(int number) {
        if (number >= lossAt) {
            acknowledge(number);
        }
    }

    private void acknowledge(int number) {
        acknowledged = number;
        readable = number >= lossAt ? number : readable;
    }

    /**
     * Notes that the master's table was lost. What was written has to come back with its worker. Deletes and renames may be undone
     * (docs/recover.md): then any state of before may show, since a later one may have ended with the delete. One without an answer may have
     * been done, too.
     */
    void tableIsLost() {
        boolean mayHaveEnded = states.subList(acknowledged + 1, states.size()).contains(ABSENT);
        acknowledged = acknowledged == written && !mayHaveEnded ? written : 0;
        readable = 0;
        lossAt = states.size();
    }

    /** Notes that a loss of power may have taken the worker's note of the version of an acknowledged state. */
    void noteIsLost(int number) {
        unknown.add(number);
    }

    /** Notes that a write got no answer. */
    void noteUnanswered(int number) {
        unanswered.add(number);
    }

    /**
     * Returns true if the newest acknowledged state may be kept beside the name. The table was lost then, and a worker does not know the
     * version of this file or of the one at the name (docs/bdt-protocol.md, "What comes back with a worker").
     */
    boolean mayBeBeside() {
        boolean incomparable =
                unknown.contains(acknowledged) || unanswered.stream().anyMatch(number -> number < acknowledged);
        return incomparable && lossAt > 0;
    }

    /** Returns true if the last acknowledged call was a delete or a rename that a loss of the table may have undone. */
    boolean mayBeUndone() {
        return lossAt > 0 && acknowledged == 0;
    }

    /** Returns the state from which on a read has to find one, when all workers have come back. */
    int acknowledged() {
        return acknowledged;
    }

    /** Returns the state from which on a read has to find one now. */
    int readable() {
        return readable;
    }

    /**
     * Returns true if the table was lost, and nothing was acknowledged to change the name since: its file may still come back with its
     * worker.
     */
    boolean mayComeBack() {
        return readable < lossAt;
    }

    /** Returns true if the newest acknowledged state may not be readable yet. */
    boolean isComingBack() {
        return readable < acknowledged;
    }

    /** Returns true if the last call was acknowledged, and every read shows it. */
    boolean isCertain() {
        return acknowledged == states.size() - 1 && readable == acknowledged;
    }

    /** Returns the state that was acknowledged last. */
    long state() {
        return states.get(acknowledged);
    }

    /** Returns true if a reader that began at an acknowledged state may find this one. */
    boolean allows(int from, long found) {
        return states.subList(from, states.size()).contains(found);
    }

    /**
     * Notes that a rename gives this name the state of another one. If a mount without syncs loses that state and not the rename, an older
     * state of the other name comes here.
     */
    void inherit(NameHistory source) {
        inherited.addAll(source.states);
        inherited.addAll(source.inherited);
    }

    /** Returns true if this was ever a state, or may have been one of a mount without syncs. */
    boolean knows(long found) {
        return states.contains(found) || inherited.contains(found);
    }
}
