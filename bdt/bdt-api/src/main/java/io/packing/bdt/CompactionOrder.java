// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/** The orders of files in a blob that a compaction makes. */
public enum CompactionOrder {
    /** By directory and name: a read of a directory reads one stretch. */
    DIRECTORY,
    /** As clients looked the files up last, since the master opened the mount; all others behind them by directory and name. */
    LOOKUPS
}
