package io.packing.bdt.master.table;

/**
 * What counts for quotas, or by how much that changes.
 *
 * @param names files and directories
 * @param bytes of files, as long as they are
 */
record QuotaUse(long names, long bytes) {
    static final QuotaUse NONE = new QuotaUse(0, 0);

    /** Of an entry by itself. A name of a file with several counts the length that its row has. */
    static QuotaUse of(Inode entry) {
        return new QuotaUse(1, entry.isDirectory() ? 0 : entry.attributes().length());
    }

    /** @throws ArithmeticException when nobody could count so much */
    QuotaUse plus(QuotaUse other) {
        return new QuotaUse(Math.addExact(names, other.names), Math.addExact(bytes, other.bytes));
    }

    QuotaUse negated() {
        return new QuotaUse(-names, -bytes);
    }

    boolean isNone() {
        return names == 0 && bytes == 0;
    }
}
