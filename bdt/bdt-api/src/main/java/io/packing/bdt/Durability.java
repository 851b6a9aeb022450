// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/** The durability of a closed file, per mount. */
public enum Durability {
    /** The file is in the buffer and in the master's log, neither synced: it survives a process crash. */
    BUFFERED,
    /** Both are synced, many files sharing one sync: it survives power loss. */
    SYNCED,
    /** The file is in a pushed blob: it survives the loss of the machine. */
    UPLOADED
}
