package io.packing.sim.pack;

/** What a request asks of an object store; a PUT and a LIST count against the same limit (§2.4). */
enum RequestKind {
    PUT(0),
    LIST(1),
    GET(2);

    private final int index;

    RequestKind(int index) {
        this.index = index;
    }

    /** The place in arrays that count by kind. */
    int index() {
        return index;
    }
}
