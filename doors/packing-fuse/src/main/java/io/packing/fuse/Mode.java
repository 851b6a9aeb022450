// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/** Types of files and permission bits, as {@code stat} has them. */
public final class Mode {
    public static final int TYPE = 0170000;
    public static final int SOCKET = 0140000;
    public static final int SYMLINK = 0120000;
    public static final int REGULAR = 0100000;
    public static final int BLOCK_DEVICE = 0060000;
    public static final int DIRECTORY = 0040000;
    public static final int CHARACTER_DEVICE = 0020000;
    public static final int FIFO = 0010000;
    public static final int SET_USER = 04000;
    public static final int SET_GROUP = 02000;
    public static final int PERMISSIONS = 07777;

    private static final int DIRECTORY_ENTRY_SHIFT = 12;

    private Mode() {}

    /** Returns the type of a file as an entry of a directory has it. */
    static int entryType(int mode) {
        return (mode & TYPE) >>> DIRECTORY_ENTRY_SHIFT;
    }
}
