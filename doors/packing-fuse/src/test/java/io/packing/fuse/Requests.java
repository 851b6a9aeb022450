// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Messages as a kernel writes them, and a session to send them to. */
final class Requests {
    /** INIT as Linux 6.18 sends it, recorded: protocol 7.45, all flags that it has. */
    private static final String RECORDED_INIT = "680000001a000000020000000000000000000000000000000000000000000000"
            + "0000000000000000070000002d00000000000200fbffff73fd05000000000000"
            + "0000000000000000000000000000000000000000000000000000000000000000"
            + "0000000000000000";

    private final FuseSession session;
    private final Reply reply = new Reply(ByteBuffer.allocateDirect(2 << 20).order(ByteOrder.nativeOrder()));
    /** The answers that came by other means than a return. */
    private final Queue<ByteBuffer> late = new ConcurrentLinkedQueue<>();

    private long unique = 4;

    Requests(FuseFileSystem files) {
        session = new FuseSession(files, new FuseOptions(false, 1, 1 << 20, 1));
    }

    FuseSession session() {
        return session;
    }

    /** Returns the bytes of a little-endian record, as this machine has them. */
    static ByteBuffer recordedInit() {
        ByteBuffer little = ByteBuffer.allocate(RECORDED_INIT.length() / 2).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < RECORDED_INIT.length(); i += 2) {
            little.put((byte) Integer.parseInt(RECORDED_INIT.substring(i, i + 2), 16));
        }
        return little.flip();
    }

    /** Returns a session after INIT. */
    static Requests begun(FuseFileSystem files) {
        Requests requests = new Requests(files);
        requests.send(recordedInit());
        return requests;
    }

    /** Returns the answer to a whole message. */
    Optional<ByteBuffer> send(ByteBuffer message) {
        ByteBuffer request = ByteBuffer.allocateDirect(message.remaining()).order(ByteOrder.nativeOrder());
        request.put(message).flip();
        Optional<ByteBuffer> now =
                session.answer(request, reply, answer -> late.add(copy(answer))).map(answer -> copy(answer));
        return now.isPresent() ? now : Optional.ofNullable(late.poll());
    }

    /** Returns the oldest answer that came after its request had returned; may be empty. */
    Optional<ByteBuffer> late() {
        return Optional.ofNullable(late.poll());
    }

    private static ByteBuffer copy(ByteBuffer answer) {
        ByteBuffer copy = ByteBuffer.allocate(answer.remaining()).order(ByteOrder.nativeOrder());
        return copy.put(answer).flip();
    }

    /** Returns the answer to a request of user 7, group 8. */
    ByteBuffer send(int opcode, long node, byte[] body) {
        return send(message(opcode, node, body, RequestHeader.SIZE + body.length))
                .orElseThrow();
    }

    ByteBuffer message(int opcode, long node, byte[] body, int length) {
        unique += 2;
        ByteBuffer message =
                ByteBuffer.allocate(RequestHeader.SIZE + body.length).order(ByteOrder.nativeOrder());
        message.putInt(length).putInt(opcode).putLong(unique).putLong(node);
        message.putInt(7).putInt(8).putInt(9).putInt(0).put(body);
        return message.flip();
    }

    long lastUnique() {
        return unique;
    }

    /** Parts of a body: an Integer, Long, byte array, or String with a NUL behind it. */
    static byte[] body(Object... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Object part : parts) {
            ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
            if (part instanceof Integer number) {
                bytes.putInt(number);
            } else if (part instanceof Long number) {
                bytes.putLong(number);
            } else if (part instanceof byte[] raw) {
                out.writeBytes(raw);
            } else {
                out.writeBytes((part + "\0").getBytes(StandardCharsets.UTF_8));
            }
            out.write(bytes.array(), 0, bytes.position());
        }
        return out.toByteArray();
    }

    /** Returns the error of an answer, positive; 0: none. */
    static int error(ByteBuffer answer) {
        return -answer.getInt(4);
    }
}
