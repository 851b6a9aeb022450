// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * An object that another program wrote, and whose bytes are those of a file (blob-format.md, section 2.2). An extent of {@link
 * Codec#ADOPTED} stores its name. The range of the extent in the file is its range in the object.
 *
 * @param bucket of a store with S3's protocol
 * @param key of the object in the bucket
 * @param version the object's ETag when it was adopted, as the store wrote it
 * @param length of the object
 */
public record AdoptedObject(String bucket, String key, String version, long length) {
    // Little-endian:  0:1 kind  1:9 length of the object  then three times 0:2 length of a text, and its UTF-8
    private static final int KIND_S3 = 1;
    private static final int HEAD = 1 + Long.BYTES;
    private static final int MOST_TEXT = 4_096;

    public AdoptedObject {
        if (length <= 0 || !isText(bucket) || !isText(key) || !isText(version)) {
            throw new IllegalArgumentException(
                    "no object to adopt: '%s' in '%s', version '%s', %d bytes".formatted(key, bucket, version, length));
        }
    }

    private static boolean isText(String text) {
        return !text.isEmpty()
                && text.length() <= MOST_TEXT
                && StandardCharsets.UTF_8.newEncoder().canEncode(text)
                && text.getBytes(StandardCharsets.UTF_8).length <= MOST_TEXT;
    }

    /** Returns the stored bytes of an extent of the object. */
    public ByteBuffer encode() {
        byte[][] texts = {
            bucket.getBytes(StandardCharsets.UTF_8),
            key.getBytes(StandardCharsets.UTF_8),
            version.getBytes(StandardCharsets.UTF_8)
        };
        int size = HEAD;
        for (byte[] text : texts) {
            size += Short.BYTES + text.length;
        }
        ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) KIND_S3).putLong(length);
        for (byte[] text : texts) {
            bytes.putShort((short) text.length).put(text);
        }
        return bytes.flip();
    }

    /**
     * Parses the stored bytes of an extent.
     *
     * @param where the extent, for messages
     * @param end of the extent in its file, which is within the object
     */
    static AdoptedObject parse(String where, long end, ByteBuffer stored) throws CorruptBlobException {
        ByteBuffer bytes = stored.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.remaining() < HEAD || bytes.get() != KIND_S3) {
            throw new CorruptBlobException("%s names no object of a known kind".formatted(where));
        }
        long length = bytes.getLong();
        String bucket = text(where, bytes);
        String key = text(where, bytes);
        String version = text(where, bytes);
        if (bytes.hasRemaining() || end > length) {
            throw new CorruptBlobException("%s names an object of %d bytes badly".formatted(where, length));
        }
        return new AdoptedObject(bucket, key, version, length);
    }

    private static String text(String where, ByteBuffer bytes) throws CorruptBlobException {
        int size = bytes.remaining() < Short.BYTES ? 0 : bytes.getShort() & 0xffff;
        if (size == 0 || size > MOST_TEXT || size > bytes.remaining()) {
            throw new CorruptBlobException("%s names an object with a text of %d bytes".formatted(where, size));
        }
        ByteBuffer utf8 = bytes.slice().limit(size);
        bytes.position(bytes.position() + size);
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(utf8);
            return text.toString();
        } catch (CharacterCodingException e) {
            throw new CorruptBlobException("%s names an object by bytes that are no UTF-8".formatted(where), e);
        }
    }

    @Override
    public String toString() {
        return "s3://" + bucket + "/" + key;
    }
}
