package io.packing.chaos.client;

/** How a client reaches the mount. */
public enum DoorKind {
    /** Hadoop's FileSystem. */
    HADOOP,
    /** The client of packing workers. */
    WORKER
}
