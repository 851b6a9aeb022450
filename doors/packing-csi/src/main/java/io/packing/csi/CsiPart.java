// SPDX-License-Identifier: Apache-2.0
package io.packing.csi;

/** The parts of a driver that a process has. */
public enum CsiPart {
    /** Makes and deletes volumes and snapshots, for the whole cluster. */
    CONTROLLER,
    /** Mounts volumes of its node. */
    NODE,
    ALL,
    /** Has the file systems of its node, for a driver beside it that may be replaced. */
    STAGER;

    boolean isController() {
        return this == CONTROLLER || this == ALL;
    }

    boolean isNode() {
        return this == NODE || this == ALL;
    }
}
