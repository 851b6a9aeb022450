// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.Optional;

/**
 * The bytes of one file version as they were when it was claimed, in a row of their own because several files have, or had,
 * some of them (RFC 0001). A version that only its own file has is in the file's row.
 *
 * @param id of the file that wrote it
 * @param generation of that version
 * @param length in bytes
 */
public record Content(long id, long generation, long length, Inode.Place place) {
    private static final int VERSION = 1;

    public Content {
        boolean hasBytes =
                place instanceof Inode.Buffered || place instanceof Inode.Packed || place instanceof Inode.Missing;
        if (id <= 0 || generation < 0 || length <= 0 || !hasBytes) {
            throw new Bytes.MalformedException(
                    "content %d of generation %d, %d bytes in %s".formatted(id, generation, length, place));
        }
    }

    /** Finds a content that has a row of its own, or one that only a row of the past has. */
    public static Optional<Content> find(Rows rows, long id) throws IOException {
        Optional<Content> own = own(rows, id);
        Optional<Content> found = own.isPresent() ? own : alone(rows, id);
        // Between the two reads it may have got a row of its own.
        return found.isPresent() ? found : own(rows, id);
    }

    /** Finds a content that only a row of the past has. */
    public static Optional<Content> alone(Rows rows, long id) throws IOException {
        return LoneVersion.find(rows, id).map(LoneVersion::content);
    }

    /** Finds a content that has a row of its own. */
    public static Optional<Content> own(Rows rows, long id) throws IOException {
        return rows.get(Keys.numbered(Keys.CONTENT, id)).map(row -> decode(id, row));
    }

    public FileVersion version() {
        return new FileVersion(id, generation);
    }

    /** Returns the name by which the journal has it. */
    public JournalEntry.Source source() {
        return new JournalEntry.Source(id, generation, length);
    }

    public Content at(Inode.Place newPlace) {
        return new Content(id, generation, length, newPlace);
    }

    public byte[] encode() {
        Bytes.Out out = new Bytes.Out()
                .byte1(VERSION << 4 | Inode.kind(place))
                .number(generation)
                .number(length);
        Inode.encode(place, out);
        return out.toBytes();
    }

    public static Content decode(long id, byte[] row) {
        Bytes.In in = new Bytes.In(row);
        int head = in.byte1();
        if (head >>> 4 != VERSION) {
            throw new Bytes.MalformedException("content of version " + (head >>> 4));
        }
        return new Content(id, in.number(), in.number(), Inode.place(head & 0xf, in));
    }
}
