// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * An entry of the log of a group of masters, which all members apply at its place. A byte for its kind, then its values
 * in the order of the record, big-endian; texts as {@link DataOutputStream#writeUTF} writes them, bytes after their
 * length.
 */
@SuppressWarnings("ArrayRecordComponent") // No caller compares entries, and rows are not copied.
public sealed interface MasterGroupEntry {
    /** The rows that a batch of mutations changed, or the last part of them. */
    record Rows(String mount, long leaseEpoch, long first, long last, int parts, byte[] rows)
            implements MasterGroupEntry {}

    /** A part of a batch's rows that exceed one entry: members keep it until the last part comes. */
    record Part(String mount, long leaseEpoch, long first, int number, byte[] rows) implements MasterGroupEntry {}

    /** The begin of a new table of a mount, beside the current one. */
    record Begin(String mount, long token) implements MasterGroupEntry {}

    /** Rows of a new table, encoded as a batch's. */
    record Fill(String mount, long token, byte[] rows) implements MasterGroupEntry {}

    /**
     * A new lease epoch of a mount.
     *
     * @param ready content of a single master's file of this name
     * @param token of the new table that replaces the current one; 0: the current table stays
     * @param position of the last mutation in a new table
     */
    record Hold(String mount, long leaseEpoch, String ready, long token, long position) implements MasterGroupEntry {}

    /**
     * A start of a member.
     *
     * @param instance of its directory
     * @param starts of this directory, this one included
     * @param address for clients
     */
    record Member(String id, String instance, long starts, String address) implements MasterGroupEntry {}

    /**
     * A small text that all members keep.
     *
     * @param version greater by one than that of the texts that it replaces
     */
    record Text(String name, long version, byte[] text) implements MasterGroupEntry {}

    /** An entry without effect, by which its proposer learns that it leads. */
    record Nothing() implements MasterGroupEntry {}

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
            out.writeLong(rows.leaseEpoch);
            out.writeLong(rows.first);
            out.writeLong(rows.last);
            out.writeInt(rows.parts);
            bytes(out, rows.rows);
        } else if (this instanceof Part part) {
            out.writeByte(2);
            out.writeUTF(part.mount);
            out.writeLong(part.leaseEpoch);
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
            out.writeLong(hold.leaseEpoch);
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
     * Decodes the bytes of {@link #encode}.
     *
     * @throws IOException if the bytes are malformed
     */
    static MasterGroupEntry decode(byte[] bytes) throws IOException {
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
