// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

/** The kind of a request to an object store; a PUT and a LIST count against one limit (§2.4). */
enum SimulatedRequestKind {
    PUT(0),
    LIST(1),
    GET(2);

    private final int index;

    SimulatedRequestKind(int index) {
        this.index = index;
    }

    /** Returns the index in arrays that count by kind. */
    int index() {
        return index;
    }
}
