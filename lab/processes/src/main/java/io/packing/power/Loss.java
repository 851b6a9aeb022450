// SPDX-License-Identifier: Apache-2.0
package io.packing.power;

/** The fate of writes and directory entries that were not forced before a power loss. */
public enum Loss {
    /** All of them are lost. */
    ALL,
    /** Each 512-byte sector of each write, and each directory entry, is kept or lost, in no order. */
    REORDERED,
    /** Files have their new lengths and names. Some have zeros in place of bytes that were not forced. */
    ZEROS,
    /** A file keeps its first writes, the last of them in part, and a directory its first changes. */
    TORN,
    /** None is lost: the disk was quicker than the power. */
    NOTHING
}
