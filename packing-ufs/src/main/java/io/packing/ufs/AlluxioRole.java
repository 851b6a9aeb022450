// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

/** The Alluxio process in which an under file system lives. */
enum AlluxioRole {
    /** Needs the namespace; its few writes go through a worker. */
    MASTER,
    /** Runs the mount's packing worker inside its process. */
    WORKER,
    /** Forwards to the packing worker of its node. */
    JOB_WORKER,
    /** A command, or a process that did not say its role. */
    CLIENT
}
