// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A client that sends any bytes, and reads what a server may answer. */
public final class TestNbdClient implements AutoCloseable {
    /** A reply to an option. */
    record OptionReply(int option, int type, ByteBuffer data) {
        String text() {
            return UTF_8.decode(data.duplicate()).toString();
        }
    }

    /** A reply to a request, or a chunk of one. */
    public record Reply(boolean structured, int flags, int type, int error, long cookie, ByteBuffer data) {
        boolean isLast() {
            return !structured || (flags & NbdNumbers.CHUNK_DONE) != 0;
        }

        /** Returns the error of either form. */
        public int failure() {
            return structured && type == NbdNumbers.CHUNK_ERROR ? data.getInt(0) : error;
        }
    }

    final Socket socket;
    final DataInputStream in;
    final DataOutputStream out;

    public TestNbdClient(int port) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** Goes on with a connection, as within TLS. */
    TestNbdClient(Socket socket) throws IOException {
        this.socket = socket;
        // A server that hangs ends the test.
        socket.setSoTimeout(60_000);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** Begins a fixed newstyle handshake, and says the client's flags. */
    void greet(int flags) throws IOException {
        if (in.readLong() != NbdNumbers.INIT_MAGIC || in.readLong() != NbdNumbers.OPTION_MAGIC) {
            throw new IOException("no newstyle server");
        }
        int unused = in.readUnsignedShort();
        out.writeInt(flags);
    }

    /** Chooses the default device, with chunks and contexts or without. */
    public TestNbdClient begin(boolean structured) throws IOException {
        greet(NbdNumbers.FIXED_NEWSTYLE | NbdNumbers.NO_ZEROES);
        if (structured) {
            List<OptionReply> chunks = option(NbdNumbers.OPT_STRUCTURED_REPLY);
            List<OptionReply> contexts = option(NbdNumbers.OPT_SET_META_CONTEXT, contexts("", NbdNumbers.ALLOCATION));
            if (chunks.get(0).type() != NbdNumbers.REP_ACK || contexts.size() != 2) {
                throw new IOException("no chunks or contexts");
            }
        }
        List<OptionReply> replies = option(NbdNumbers.OPT_GO, name(""));
        if (replies.get(replies.size() - 1).type() != NbdNumbers.REP_ACK) {
            throw new IOException("no device");
        }
        return this;
    }

    /** Returns the data of INFO and GO. */
    static byte[] name(String name, int... kinds) {
        byte[] text = name.getBytes(UTF_8);
        ByteBuffer data = ByteBuffer.allocate(4 + text.length + 2 + 2 * kinds.length)
                .putInt(text.length)
                .put(text)
                .putShort((short) kinds.length);
        for (int kind : kinds) {
            data.putShort((short) kind);
        }
        return data.array();
    }

    static byte[] contexts(String name, String... queries) throws IOException {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(data);
        to.writeInt(name.getBytes(UTF_8).length);
        to.write(name.getBytes(UTF_8));
        to.writeInt(queries.length);
        for (String query : queries) {
            to.writeInt(query.getBytes(UTF_8).length);
            to.write(query.getBytes(UTF_8));
        }
        return data.toByteArray();
    }

    void send(int option, byte... data) throws IOException {
        out.writeLong(NbdNumbers.OPTION_MAGIC);
        out.writeInt(option);
        out.writeInt(data.length);
        out.write(data);
    }

    /** Sends an option, and returns the replies up to the last one. */
    List<OptionReply> option(int option, byte... data) throws IOException {
        send(option, data);
        List<OptionReply> replies = new ArrayList<>();
        while (true) {
            if (in.readLong() != NbdNumbers.OPTION_REPLY_MAGIC) {
                throw new IOException("no reply to an option");
            }
            int of = in.readInt();
            int type = in.readInt();
            byte[] with = new byte[in.readInt()];
            in.readFully(with);
            replies.add(new OptionReply(of, type, ByteBuffer.wrap(with)));
            if (type < 0 || type == NbdNumbers.REP_ACK) {
                return replies;
            }
        }
    }

    public void request(int flags, int type, long cookie, long offset, int length, byte... payload) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(all);
        to.writeInt(NbdNumbers.REQUEST_MAGIC);
        to.writeShort(flags);
        to.writeShort(type);
        to.writeLong(cookie);
        to.writeLong(offset);
        to.writeInt(length);
        to.write(payload);
        out.write(all.toByteArray());
    }

    /** Reads a reply or a chunk; a simple one has so many bytes of data if it is no error. */
    public Reply reply(int dataOfSimple) throws IOException {
        int magic = in.readInt();
        if (magic == NbdNumbers.SIMPLE_REPLY_MAGIC) {
            int error = in.readInt();
            long cookie = in.readLong();
            byte[] data = new byte[error == 0 ? dataOfSimple : 0];
            in.readFully(data);
            return new Reply(false, 0, 0, error, cookie, ByteBuffer.wrap(data));
        }
        if (magic != NbdNumbers.STRUCTURED_REPLY_MAGIC) {
            throw new IOException("%08x is no reply".formatted(magic));
        }
        int flags = in.readUnsignedShort();
        int type = in.readUnsignedShort();
        long cookie = in.readLong();
        byte[] data = new byte[in.readInt()];
        in.readFully(data);
        return new Reply(true, flags, type, 0, cookie, ByteBuffer.wrap(data));
    }

    /** Returns the error of a request with the default length of its reply, 0. */
    public int errorOf(int flags, int type, long offset, int length, byte... payload) throws IOException {
        request(flags, type, 7, offset, length, payload);
        return reply(0).failure();
    }

    /** Reads bytes, and puts the chunks of them together. */
    public byte[] read(int flags, long offset, int length) throws IOException {
        request(flags, NbdNumbers.CMD_READ, 9, offset, length);
        byte[] all = new byte[length];
        while (true) {
            Reply reply = reply(length);
            if (reply.failure() != 0) {
                throw new IOException("error " + reply.failure());
            }
            ByteBuffer data = reply.data();
            if (!reply.structured()) {
                data.get(all);
                return all;
            }
            if (reply.type() == NbdNumbers.CHUNK_OFFSET_DATA) {
                int at = (int) (data.getLong() - offset);
                data.get(all, at, data.remaining());
            }
            if (reply.isLast()) {
                return all;
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
