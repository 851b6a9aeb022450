// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

/** The kinds of snapshots. */
public enum SnapshotKind {
    /** Read-only, for one reader; never a parent. */
    VIEW,
    /** Writable; never a parent. */
    ACTIVE,
    /** Unchangeable; other snapshots may have it as their parent. */
    COMMITTED
}
