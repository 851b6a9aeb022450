package io.packing.bdt.master;

import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/** A small object of text lines of which the last is {@code check} and the CRC32C of the lines before, in hexadecimal. */
record CheckedText(String text, boolean intact) {
    private static final String CHECK = "check ";
    /** More than anything that is written so. */
    private static final int MOST_BYTES = 16 << 10;
    /** An answer may be damaged on its way. */
    private static final int READS = 2;

    /** @param text lines that end in a line break */
    static byte[] encode(String text) {
        return (text + CHECK + checksum(text) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    static CheckedText decode(byte[] bytes) {
        String all = new String(bytes, StandardCharsets.UTF_8);
        int end = all.lastIndexOf("\n" + CHECK) + 1;
        String text = all.substring(0, end);
        return end > 0 && all.equals(text + CHECK + checksum(text) + "\n")
                ? new CheckedText(text, true)
                : new CheckedText(all, false);
    }

    /** Reads an object, again when it does not fit its check; empty when there is none. */
    static Optional<CheckedText> read(ObjectStore objects, String key) throws IOException {
        CheckedText found = new CheckedText("", false);
        for (int i = 0; i < READS && !found.intact; i++) {
            try {
                ByteBuffer text = objects.getTail(key, MOST_BYTES);
                byte[] bytes = new byte[text.remaining()];
                text.get(bytes);
                found = decode(bytes);
            } catch (ObjectNotFoundException e) {
                return Optional.empty();
            }
        }
        return Optional.of(found);
    }

    private static String checksum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(crc.getValue());
    }
}
