package io.packing.bdt.raft.group;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * An entry of the log of a group of masters: what all members do, in its place. A byte for its kind, then its values in the
 * order of the record, big-endian; texts as {@link DataOutputStream#writeUTF} writes them, bytes with their length before them.
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares entries, and rows are not copied.
public sealed interface GroupEntry {
    /** Rows that a group of mutations changed, or the last part of them. */
    record Rows(String mount, long epoch, long first, long last, int parts, byte[] rows) implements GroupEntry {}

    /** A part of the rows of a group that are too many for one entry: kept until the last part comes. */
    record Part(String mount, long epoch, long first, int number, byte[] rows) implements GroupEntry {}

    /** A new table of a mount begins to be filled, beside the one that is there. */
    record Begin(String mount, long token) implements GroupEntry {}

    /** Rows of a new table, written as those of a group. */
    record Fill(String mount, long token, byte[] rows) implements GroupEntry {}

    /**
     * From now on this epoch counts.
     *
     * @param ready what the file of this name says of a master that is alone
     * @param token of the table that was filled; 0: the table that is there
     * @param position of the last mutation in a table that was filled
     */
    record Hold(String mount, long epoch, String ready, long token, long position) implements GroupEntry {}

    /**
     * A member has started.
     *
     * @param instance of its directory
     * @param starts of this directory, this one included
     * @param address where clients find it
     */
    record Member(String id, String instance, long starts, String address) implements GroupEntry {}

    /**
     * A small text that all members keep.
     *
     * @param version one more than that of the texts that it follows from
     */
    record Text(String name, long version, byte[] text) implements GroupEntry {}

    /** Nothing: whoever proposes it learns that it leads. */
    record Nothing() implements GroupEntry {}

    default byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(out);
        } catch (IOException e) {
            throw new IllegalArgumentException("an entry that cannot be written: " + this, e);
        }
        return bytes.toByteArray();
    }

    private void write(DataOutputStream out) throws IOException {
        if (this instanceof Rows rows) {
            out.writeByte(1);
            out.writeUTF(rows.mount);
            out.writeLong(rows.epoch);
            out.writeLong(rows.first);
            out.writeLong(rows.last);
            out.writeInt(rows.parts);
            bytes(out, rows.rows);
        } else if (this instanceof Part part) {
            out.writeByte(2);
            out.writeUTF(part.mount);
            out.writeLong(part.epoch);
            out.writeLong(part.first);
            out.writeInt(part.number);
            bytes(out, part.rows);
        } else if (this instanceof Begin begin) {
            out.writeByte(3);
            out.writeUTF(begin.mount);
            out.writeLong(begin.token);
        } else if (this instanceof Fill fill) {
            out.writeByte(4);
            out.writeUTF(fill.mount);
            out.writeLong(fill.token);
            bytes(out, fill.rows);
        } else if (this instanceof Hold hold) {
            out.writeByte(5);
            out.writeUTF(hold.mount);
            out.writeLong(hold.epoch);
            out.writeUTF(hold.ready);
            out.writeLong(hold.token);
            out.writeLong(hold.position);
        } else if (this instanceof Member member) {
            out.writeByte(6);
            out.writeUTF(member.id);
            out.writeUTF(member.instance);
            out.writeLong(member.starts);
            out.writeUTF(member.address);
        } else if (this instanceof Text text) {
            out.writeByte(8);
            out.writeUTF(text.name);
            out.writeLong(text.version);
            bytes(out, text.text);
        } else {
            out.writeByte(7);
        }
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IOException when the bytes are not that
     */
    static GroupEntry decode(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int kind = in.readUnsignedByte();
            return switch (kind) {
                case 1 -> new Rows(in.readUTF(), in.readLong(), in.readLong(), in.readLong(), in.readInt(), bytes(in));
                case 2 -> new Part(in.readUTF(), in.readLong(), in.readLong(), in.readInt(), bytes(in));
                case 3 -> new Begin(in.readUTF(), in.readLong());
                case 4 -> new Fill(in.readUTF(), in.readLong(), bytes(in));
                case 5 -> new Hold(in.readUTF(), in.readLong(), in.readUTF(), in.readLong(), in.readLong());
                case 6 -> new Member(in.readUTF(), in.readUTF(), in.readLong(), in.readUTF());
                case 7 -> new Nothing();
                case 8 -> new Text(in.readUTF(), in.readLong(), bytes(in));
                default ->
                    throw new IOException(
                            "an entry of kind %d: all masters of a group must have the same version".formatted(kind));
            };
        }
    }

    private static void bytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("an entry that is cut off");
        }
        return in.readNBytes(length);
    }
}
