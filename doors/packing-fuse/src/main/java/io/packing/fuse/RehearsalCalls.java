// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Calls of a file system by messages as the kernel writes them, without a kernel. A server rehearses with them, so that
 * its code is loaded and compiled before the first program calls it. Confined to one thread.
 */
public final class RehearsalCalls {
    private static final int ROOM = 4096;
    /** The place of the node in the answer to a lookup. */
    private static final int NODE_AT = Reply.HEADER;

    private static final int ERROR_AT = 4;
    private static final int LONGEST_VALUE = 64;

    private final FuseSession session;
    private final ByteBuffer request = ByteBuffer.allocateDirect(ROOM).order(ByteOrder.nativeOrder());
    private final Reply reply;
    private long unique;

    /** @param mostBytes of a read */
    public RehearsalCalls(FuseFileSystem files, int mostBytes) {
        this.session = new FuseSession(files, new FuseOptions(true, 1, mostBytes, 1));
        this.session.resume(0);
        this.reply = new Reply(ByteBuffer.allocateDirect(mostBytes + ROOM).order(ByteOrder.nativeOrder()));
    }

    /** Looks up a name; empty: nothing is there. */
    public OptionalLong lookup(long parent, String name) {
        ByteBuffer answer = call(begin(Opcode.LOOKUP, parent).put(text(name)));
        long node = isRefused(answer) ? 0 : answer.getLong(NODE_AT);
        return node == 0 ? OptionalLong.empty() : OptionalLong.of(node);
    }

    /** Reads bytes of a file; how many there were, -1: it cannot be read. */
    public int read(long node, long offset, int bytes) {
        ByteBuffer message = begin(Opcode.READ, node);
        message.putLong(0).putLong(offset).putInt(bytes).putInt(0).putLong(0).putLong(0);
        ByteBuffer answer = call(message);
        return isRefused(answer) ? -1 : answer.remaining() - Reply.HEADER;
    }

    /** Asks for an extended attribute; returns whether the file has it. */
    public boolean hasExtended(long node, String name) {
        ByteBuffer message = begin(Opcode.GETXATTR, node);
        message.putInt(LONGEST_VALUE).putInt(0).put(text(name));
        return !isRefused(call(message));
    }

    /** Forgets a node that was looked up so often. */
    public void forget(long node, long lookups) {
        ByteBuffer message = begin(Opcode.FORGET, node).putLong(lookups);
        Optional<ByteBuffer> unused = session.answer(finished(message), reply, RehearsalCalls::notLater);
    }

    private ByteBuffer begin(Opcode opcode, long node) {
        request.clear();
        return request.putInt(0)
                .putInt(opcode.number())
                .putLong(++unique)
                .putLong(node)
                .putInt(0)
                .putInt(0)
                .putInt(0)
                .putInt(0);
    }

    private ByteBuffer call(ByteBuffer message) {
        return session.answer(finished(message), reply, RehearsalCalls::notLater)
                .orElseThrow(() -> new IllegalStateException("a request was not answered"));
    }

    /** Refuses a late answer: only a FLUSH is answered later, and a rehearsal sends none. */
    private static void notLater(ByteBuffer answer) {
        throw new IllegalStateException("a request was answered later");
    }

    private static ByteBuffer finished(ByteBuffer message) {
        return message.putInt(0, message.position()).flip();
    }

    private static boolean isRefused(ByteBuffer answer) {
        return answer.getInt(ERROR_AT) != 0;
    }

    private static byte[] text(String name) {
        return (name + '\0').getBytes(StandardCharsets.UTF_8);
    }
}
