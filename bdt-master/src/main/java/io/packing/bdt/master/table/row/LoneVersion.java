// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import java.io.IOException;
import java.util.Optional;

/**
 * A version in blobs that its file has left, and of whose bytes only one row of the past tells. It needs no content and no referrer, so that
 * the first overwrite after a snapshot writes one row. It becomes a content when a second file or snapshot has some of its bytes.
 */
public record LoneVersion(Referrer.At at, Inode inode) {
    /** Tries to find it: a row may go to an older snapshot between two reads. */
    private static final int TRIES = 3;

    public LoneVersion {
        if (!isLone(inode)) {
            throw new IllegalArgumentException("inode %d is %s".formatted(inode.id(), inode.place()));
        }
    }

    /** Returns whether a row of the past with an inode has its bytes alone. */
    public static boolean isLone(Inode inode) {
        return inode.place() instanceof Inode.Packed && inode.attributes().length() > 0;
    }

    /** Returns the version of a file of the past that has its bytes alone; empty: there is none of this id. */
    public static Optional<LoneVersion> find(Rows rows, long id) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            Optional<Referrer.At> at = rows.get(Keys.numbered(Keys.INODE, id)).flatMap(Referrer.At::ofInode);
            if (at.isEmpty()) {
                return Optional.empty();
            }
            Optional<Inode> inode = rows.get(at.get().key())
                    .filter(row -> row.length > 0)
                    .map(Inode::decode)
                    .filter(there -> there.id() == id && isLone(there));
            if (inode.isPresent()) {
                return Optional.of(new LoneVersion(at.get(), inode.get()));
            }
        }
        return Optional.empty();
    }

    /** Returns the version of a row of the past; empty: the row has no bytes alone. */
    public static Optional<LoneVersion> of(byte[] key, byte[] row) {
        if (row.length == 0) {
            return Optional.empty();
        }
        byte[] entry = Keys.entryOfPast(key);
        EntryLink link = new EntryLink(Keys.number(entry), Keys.entryName(entry));
        return Optional.of(Inode.decode(row))
                .filter(LoneVersion::isLone)
                .map(inode -> new LoneVersion(new Referrer.At(link, Keys.pastPosition(key)), inode));
    }

    /** Returns the inode of a row as snapshots see it: a version that has left its place is a content, whether it has a row of its own or not. */
    public static Inode shown(byte[] row) {
        Inode inode = Inode.decode(row);
        return Inode.isAlone(row)
                ? inode.at(new Inode.Mapped(
                        ReferenceMap.whole(inode.id(), inode.attributes().length())))
                : inode;
    }

    /** Returns the bytes as a content. */
    public Content content() {
        return new Content(inode.id(), inode.generation(), inode.attributes().length(), inode.place());
    }

    /** Writes it to its row of the past, and where that row is. */
    public void put(WriteSet rows) {
        rows.put(at.key(), inode.encodeAlone());
        rows.put(Keys.numbered(Keys.INODE, inode.id()), at.encode());
    }
}
