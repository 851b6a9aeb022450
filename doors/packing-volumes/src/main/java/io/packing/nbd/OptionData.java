// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The data of an option, read field by field: each length is checked before its bytes are taken. */
final class OptionData {
    /** A set of data that is not as the protocol says. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedException(String message) {
            super(message);
        }
    }

    private final ByteBuffer bytes;

    OptionData(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    /** Reads the text of all data. */
    String text() throws MalformedException {
        return text(bytes.remaining());
    }

    /** Reads a text behind its length of 32 bits. */
    String countedText() throws MalformedException {
        need(Integer.BYTES);
        return text(bytes.getInt());
    }

    private String text(int length) throws MalformedException {
        if (length < 0 || length > NbdNumbers.MOST_TEXT) {
            throw new MalformedException("a text of %s bytes; at most %,d"
                    .formatted(Integer.toUnsignedString(length), NbdNumbers.MOST_TEXT));
        }
        need(length);
        ByteBuffer text = bytes.slice().limit(length);
        bytes.position(bytes.position() + length);
        try {
            String read = StandardCharsets.UTF_8.newDecoder().decode(text).toString();
            if (read.indexOf('\0') >= 0) {
                throw new MalformedException("a text with a byte 0");
            }
            return read;
        } catch (CharacterCodingException e) {
            throw new MalformedException("a text that is not UTF-8");
        }
    }

    /** Reads numbers of 16 bits behind their count of 16 bits. */
    List<Integer> numbers() throws MalformedException {
        need(Short.BYTES);
        int count = Short.toUnsignedInt(bytes.getShort());
        need(count * Short.BYTES);
        List<Integer> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(Short.toUnsignedInt(bytes.getShort()));
        }
        return numbers;
    }

    /** Reads counted texts behind their count of 32 bits. */
    List<String> texts() throws MalformedException {
        need(Integer.BYTES);
        int count = bytes.getInt();
        if (count < 0 || count > bytes.remaining() / Integer.BYTES) {
            throw new MalformedException(
                    "%s texts in %d bytes".formatted(Integer.toUnsignedString(count), bytes.remaining()));
        }
        List<String> texts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            texts.add(countedText());
        }
        return texts;
    }

    /** Checks that no byte is left. */
    void end() throws MalformedException {
        if (bytes.hasRemaining()) {
            throw new MalformedException("%d bytes too many".formatted(bytes.remaining()));
        }
    }

    private void need(int count) throws MalformedException {
        if (bytes.remaining() < count) {
            throw new MalformedException("%d bytes where %d are announced".formatted(bytes.remaining(), count));
        }
    }
}
