// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

/**
 * The use of a quota, or a change of it.
 *
 * @param names files and directories
 * @param bytes of files, as long as they are
 */
public record QuotaUse(long names, long bytes) {
    public static final QuotaUse NONE = new QuotaUse(0, 0);

    /** Returns the use of an entry by itself. A name of a file with several counts the length that its row has. */
    public static QuotaUse of(Inode entry) {
        return new QuotaUse(1, entry.isDirectory() ? 0 : entry.attributes().length());
    }

    /**
     * Returns the sum of two.
     *
     * @throws ArithmeticException when a number cannot hold the sum
     */
    public QuotaUse plus(QuotaUse other) {
        return new QuotaUse(Math.addExact(names, other.names), Math.addExact(bytes, other.bytes));
    }

    public QuotaUse negated() {
        return new QuotaUse(-names, -bytes);
    }

    public boolean isNone() {
        return names == 0 && bytes == 0;
    }
}
