// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/**
 * A file or directory that was opened.
 *
 * @param handle the number that the kernel sends with each call on it
 * @param flags of the constants here
 */
public record Opened(long handle, int flags) {
    /** The kernel may use the pages that it has of the file. */
    public static final int KEEP_CACHE = 1 << 1;
    /** The kernel may keep the entries of the directory. */
    public static final int CACHE_DIRECTORY = 1 << 3;
    /** The flag that the kernel need not announce a close. */
    public static final int NO_FLUSH = 1 << 5;
}
