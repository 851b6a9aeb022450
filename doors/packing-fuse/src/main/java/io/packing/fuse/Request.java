package io.packing.fuse;

/** A request with what is needed to answer it. */
record Request(Caller caller, long node, MessageReader in, Reply reply) {}
