// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An inode that has some of a content.
 *
 * @param past the position until which it had, and the place of its row of the past; empty: it has at present
 */
public record Referrer(long inode, Optional<At> past) {
    /** The place of a row of the past. */
    public record At(EntryLink link, long position) {
        /** Returns the row of an inode whose bytes only the row of the past at this place has. */
        public byte[] encode() {
            return new Bytes.Out()
                    .number(link.parent())
                    .text(link.name())
                    .number(position)
                    .toBytes();
        }

        /** Decodes the row of an inode; empty: the inode is of the present. */
        public static Optional<At> ofInode(byte[] row) {
            Bytes.In in = new Bytes.In(row);
            EntryLink link = new EntryLink(in.number(), in.text());
            return in.hasMore() ? Optional.of(new At(link, in.number())) : Optional.empty();
        }

        public byte[] key() {
            return Keys.past(link, position);
        }
    }

    /** Returns the inodes that have some of a content, by id; at most so many. */
    public static List<Referrer> all(Rows rows, long content, int most) throws IOException {
        List<Referrer> found = new ArrayList<>();
        rows.scan(Keys.numbered(Keys.REFERRER, content), Keys.numbered(Keys.REFERRER, content + 1), (key, value) -> {
            Optional<At> past = value.length == 0
                    ? Optional.empty()
                    : Optional.of(new At(EntryLink.decode(value), Keys.pastPosition(key)));
            found.add(new Referrer(Keys.secondNumber(key), past));
            return found.size() < most;
        });
        return found;
    }

    /** Returns a file of the present that has some of a content; empty: only the past has it. */
    public static Optional<Long> present(Rows rows, long content) throws IOException {
        List<Long> present = new ArrayList<>();
        rows.scan(Keys.numbered(Keys.REFERRER, content), Keys.numbered(Keys.REFERRER, content + 1), (key, value) -> {
            if (value.length == 0) {
                present.add(Keys.secondNumber(key));
            }
            return present.isEmpty();
        });
        return present.stream().findFirst();
    }
}
