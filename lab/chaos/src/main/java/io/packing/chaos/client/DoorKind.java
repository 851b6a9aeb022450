// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.client;

/** A client's way to the mount. */
public enum DoorKind {
    /** Hadoop's FileSystem. */
    HADOOP,
    /** The client of packing workers. */
    WORKER
}
