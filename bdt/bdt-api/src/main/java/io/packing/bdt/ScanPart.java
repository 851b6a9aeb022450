// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/** A kind of rows of a table. */
public enum ScanPart {
    BLOBS,
    /** The own and present files of directories: a file that a clone only shows is in its origin. */
    FILES,
    /** Bytes that several files share, or shared, or that a snapshot and another file see; each content once. */
    CONTENTS,
    /** The past rows of entries, up to a snapshot's position: their problems, and the bytes that only one of them has. */
    PAST,
    SNAPSHOTS,
    /** The quotas of directories; the scan compares each with the present names and bytes. */
    QUOTAS
}
