// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The body of a request, from its start to its end. A missing field is EINVAL: a message is never trusted. */
final class MessageReader {
    private static final int MOST_NAME_BYTES = 255;
    /** No path of a program is longer. */
    private static final int MOST_OLD_NAME_BYTES = 4_096;

    private final ByteBuffer body;

    MessageReader(ByteBuffer body) {
        this.body = body;
    }

    int int32() throws FuseException {
        need(4);
        return body.getInt();
    }

    long int64() throws FuseException {
        need(8);
        return body.getLong();
    }

    void skip(int bytes) throws FuseException {
        need(bytes);
        body.position(body.position() + bytes);
    }

    int remaining() {
        return body.remaining();
    }

    /** Returns the next bytes, not copied. */
    ByteBuffer bytes(int count) throws FuseException {
        need(count);
        ByteBuffer slice = body.slice(body.position(), count);
        body.position(body.position() + count);
        return slice;
    }

    /** Reads an offset or length, which is not negative. */
    long size() throws FuseException {
        long size = int64();
        if (size < 0) {
            throw new FuseException(Errno.EINVAL);
        }
        return size;
    }

    /** Reads a name that an entry may get. */
    String entryName() throws FuseException {
        return entryName(MOST_NAME_BYTES);
    }

    /** Reads a name that an entry may have, which is longer where an older version gave it. */
    String existingName() throws FuseException {
        return entryName(MOST_OLD_NAME_BYTES);
    }

    private String entryName(int most) throws FuseException {
        byte[] bytes = untilNul();
        if (bytes.length > most) {
            throw new FuseException(Errno.ENAMETOOLONG);
        }
        String name = decode(bytes);
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0) {
            throw new FuseException(Errno.EINVAL);
        }
        return name;
    }

    /** Reads a name of an extended attribute. */
    String attributeName() throws FuseException {
        byte[] bytes = untilNul();
        if (bytes.length == 0 || bytes.length > MOST_NAME_BYTES) {
            throw new FuseException(Errno.ERANGE);
        }
        return decode(bytes);
    }

    /** Reads the bytes before the next NUL. */
    byte[] untilNul() throws FuseException {
        int end = body.position();
        while (end < body.limit() && body.get(end) != 0) {
            end++;
        }
        if (end == body.limit()) {
            throw new FuseException(Errno.EINVAL);
        }
        byte[] bytes = new byte[end - body.position()];
        body.get(bytes).get();
        return bytes;
    }

    private static String decode(byte[] bytes) throws FuseException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new FuseException(Errno.EILSEQ, "a name is not UTF-8");
        }
    }

    private void need(int bytes) throws FuseException {
        if (bytes < 0 || body.remaining() < bytes) {
            throw new FuseException(Errno.EINVAL, "the message is too short");
        }
    }
}
