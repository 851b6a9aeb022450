// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

/**
 * The place of an entry: a name in a directory. An inode is linked there, or waits to be.
 *
 * @param parent id of the directory
 */
public record EntryLink(long parent, String name) {
    public byte[] encode() {
        return new Bytes.Out().number(parent).text(name).toBytes();
    }

    public static EntryLink decode(byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        return new EntryLink(in.number(), in.text());
    }
}
