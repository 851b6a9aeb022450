package io.packing.ufs;

/** Which Alluxio process an under file system lives in. */
enum Role {
    /** Needs the namespace; what little it writes goes through a worker. */
    MASTER,
    /** Runs the mount's packing worker inside its process. */
    WORKER,
    /** Forwards to the packing worker of its node. */
    JOB_WORKER,
    /** A command, or a process that never said who it is. */
    CLIENT
}
