// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.encryption.ObjectCipher;
import io.packing.encryption.ObjectCipher.Part;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import javax.crypto.AEADBadTagException;

/**
 * The body of an encrypted row file: pieces, each behind the length of its encrypted bytes. A piece's number is its nonce. Its
 * associated data are a mark of the last piece, and there the file's position and count. So no piece can be left out,
 * repeated or cut off.
 */
final class EncryptedRows {
    private static final int PIECE = 64 << 10;

    private EncryptedRows() {}

    private static byte[] associated(boolean last, long position, long count) {
        ByteBuffer bytes = ByteBuffer.allocate(1 + 2 * Long.BYTES);
        return bytes.put((byte) (last ? 1 : 0)).putLong(position).putLong(count).array();
    }

    /** Encrypts what is written. {@link #finish} writes the last piece. */
    static final class Output extends OutputStream {
        private final ObjectCipher cipher;
        private final OutputStream out;
        private final ByteBuffer plain = ByteBuffer.allocate(PIECE);
        private long number;

        Output(ObjectCipher cipher, OutputStream out) {
            this.cipher = cipher;
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            int at = from;
            for (int left = length; left > 0; ) {
                if (!plain.hasRemaining()) {
                    piece(associated(false, 0, 0));
                }
                int count = Math.min(left, plain.remaining());
                plain.put(bytes, at, count);
                at += count;
                left -= count;
            }
        }

        void finish(long position, long count) throws IOException {
            piece(associated(true, position, count));
        }

        private void piece(byte[] associated) throws IOException {
            ByteBuffer encrypted = cipher.encrypt(Part.PIECE, number, associated, plain.flip());
            number++;
            plain.clear();
            out.write(ByteBuffer.allocate(Integer.BYTES)
                    .putInt(encrypted.remaining())
                    .array());
            out.write(encrypted.array(), encrypted.arrayOffset(), encrypted.limit());
        }
    }

    /** Decrypts what is read, up to the last piece. */
    static final class Input extends InputStream {
        private final ObjectCipher cipher;
        private final DataInputStream in;
        private final String name;
        private final long position;
        private final long count;
        private ByteBuffer plain = ByteBuffer.allocate(0);
        private long left;
        private long number;

        /**
         * @param name of the file, for messages
         * @param length of the pieces in it
         * @param position as the file's trailer says
         * @param count likewise
         */
        Input(ObjectCipher cipher, InputStream in, String name, long length, long position, long count) {
            this.cipher = cipher;
            this.in = new DataInputStream(in);
            this.name = name;
            this.left = length;
            this.position = position;
            this.count = count;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            while (!plain.hasRemaining()) {
                if (left == 0) {
                    return -1;
                }
                plain = piece();
            }
            int given = Math.min(length, plain.remaining());
            plain.get(into, from, given);
            return given;
        }

        private ByteBuffer piece() throws IOException {
            int size = left < Integer.BYTES ? -1 : in.readInt();
            left -= Integer.BYTES;
            if (size < ObjectCipher.TAG_BYTES || size > PIECE + ObjectCipher.TAG_BYTES || size > left) {
                throw new RowFile.DamagedException("%s: a piece of %d bytes".formatted(name, size));
            }
            left -= size;
            byte[] encrypted = in.readNBytes(size);
            boolean last = left == 0;
            try {
                byte[] associated = last ? associated(true, position, count) : associated(false, 0, 0);
                return cipher.decrypt(Part.PIECE, number++, associated, ByteBuffer.wrap(encrypted));
            } catch (AEADBadTagException e) {
                throw new RowFile.DamagedException("%s: piece %d is not what was encrypted there: exchanged or forged"
                        .formatted(name, number - 1));
            }
        }
    }
}
