package io.packing.bdt.master.table;

/**
 * What counts for quotas, or by how much that changes.
 *
 * @param names files and directories
 * @param bytes of files, as long as they are
 */
record Use(long names, long bytes) {
    static final Use NONE = new Use(0, 0);

    /** Of an entry by itself. A name of a file with several counts the length that its row has. */
    static Use of(Inode entry) {
        return new Use(1, entry.isDirectory() ? 0 : entry.attributes().length());
    }

    /** @throws ArithmeticException when nobody could count so much */
    Use plus(Use other) {
        return new Use(Math.addExact(names, other.names), Math.addExact(bytes, other.bytes));
    }

    Use negated() {
        return new Use(-names, -bytes);
    }

    boolean isNone() {
        return names == 0 && bytes == 0;
    }
}
