// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

/** A kind of fault of machines, processes and their surroundings. */
enum MachineFault {
    /** A process ends at once; the operating system keeps what it wrote. */
    KILL,
    /** A machine loses power, and what was not forced. */
    POWER_LOSS,
    /** A machine loses power while it forces, often twice in a row: bytes are on their way to the disk. */
    CUT,
    /** A process stops in order, as an operator stops it. */
    STOP,
    /** Most requests of the store fail for some seconds, many of them after they took effect. */
    STORM,
    /** Two machines do not reach each other for a time. */
    PARTITION,
    /** The master starts without its directory. */
    LOST_DIRECTORY,
    /** The master starts on an older copy of its directory. */
    OLDER_DIRECTORY
}
