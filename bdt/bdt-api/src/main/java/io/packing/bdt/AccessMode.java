// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/** Rights on a file or directory, as bits of a mode (POSIX.1-2017 §4.5). */
public final class AccessMode {
    /** The right to read a file's bytes, or the names in a directory. */
    public static final int READ = 4;
    /** The right to write a file's bytes, or to make, remove and rename entries of a directory. */
    public static final int WRITE = 2;
    /** The right to go through a directory. No call asks for it on a file. */
    public static final int SEARCH = 1;

    private static final String[] NAMES = {
        "NONE", "EXECUTE", "WRITE", "WRITE_EXECUTE", "READ", "READ_EXECUTE", "READ_WRITE", "ALL"
    };

    private AccessMode() {}

    /** Returns the name that HDFS has for these rights. */
    public static String name(int rights) {
        return NAMES[check(rights)];
    }

    /**
     * Returns the rights unchanged.
     *
     * @throws IllegalArgumentException when they have other bits
     */
    public static int check(int rights) {
        if ((rights & ~(READ | WRITE | SEARCH)) != 0) {
            throw new IllegalArgumentException("rights %o, want bits of 7".formatted(rights));
        }
        return rights;
    }
}
