package io.packing.bdt;

/** What a closed file survives, per mount. */
public enum Durability {
    /** In the buffer and in the master's log, neither synced: survives a process crash. */
    BUFFERED,
    /** Both synced, many files sharing one sync: survives power loss. */
    SYNCED,
    /** In a pushed blob: survives the loss of the machine. */
    UPLOADED
}
