// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.row.Rows;
import io.packing.encryption.Keystore;
import io.packing.encryption.ObjectCipher;
import io.packing.encryption.ObjectCipher.Purpose;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * Rows in a file, compressed and checksummed: the form of backups and journals in the backing store.
 *
 * <pre>
 * 0:4 magic "BDTR"   4:8 version   8: zlib stream of (4 key length, key, 4 value length, value)*, key length -1 ends
 * last 20 bytes: 8 position   8 row count   4 CRC32C of all before                             big-endian
 * </pre>
 *
 * This is version 1. The encrypted version 2 has the length (4) of the key's record at 8, then the record and the stream in
 * {@link EncryptedRows}.
 */
final class RowFile {
    private static final int MAGIC = 0x42_44_54_52;
    private static final int PLAIN = 1;
    private static final int ENCRYPTED = 2;
    private static final int TRAILER = 20;
    private static final int MAX_ROW = 256 << 20;
    private static final int CHECKED_BYTES = 4 << 20;
    private static final int BUFFER = 256 << 10;

    private RowFile() {}

    /** The file is not as it was written. */
    static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1L;

        DamagedException(String message) {
            super(message);
        }
    }

    /** Writes one file. Call {@link #finish} at the end. */
    static final class Writer implements AutoCloseable {
        private final OutputStream file;
        private final CRC32C crc = new CRC32C();
        private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        private final OutputStream body;
        private final DataOutputStream rows;
        private final DiskCheck disk;
        private long count;
        private long unchecked;

        private final Optional<EncryptedRows.Output> encrypted;

        /** One that is not encrypted. */
        Writer(Path path, DiskCheck disk) throws IOException {
            this(path, disk, Optional.empty());
        }

        /**
         * @param disk asked before the file grows
         * @param cipher of this file, if it is to be encrypted
         */
        Writer(Path path, DiskCheck disk, Optional<ObjectCipher> cipher) throws IOException {
            this.disk = disk;
            file = new BufferedOutputStream(Files.newOutputStream(path), BUFFER);
            OutputStream checked = new CheckedOutputStream(file, crc);
            int version = cipher.isPresent() ? ENCRYPTED : PLAIN;
            checked.write(ByteBuffer.allocate(8).putInt(MAGIC).putInt(version).array());
            if (cipher.isPresent()) {
                byte[] record = cipher.get().record();
                checked.write(ByteBuffer.allocate(4).putInt(record.length).array());
                checked.write(record);
            }
            encrypted = cipher.map(own -> new EncryptedRows.Output(own, checked));
            body = encrypted.<OutputStream>map(own -> own).orElse(checked);
            rows = new DataOutputStream(
                    new BufferedOutputStream(new DeflaterOutputStream(body, deflater, BUFFER), BUFFER));
        }

        void row(byte[] key, byte[] value) throws IOException {
            unchecked -= key.length + value.length;
            if (unchecked < 0) {
                disk.admit(CHECKED_BYTES);
                unchecked = CHECKED_BYTES;
            }
            rows.writeInt(key.length);
            rows.write(key);
            rows.writeInt(value.length);
            rows.write(value);
            count++;
        }

        long count() {
            return count;
        }

        void finish(long position) throws IOException {
            rows.writeInt(-1);
            // Closing the stream would close the file before its trailer.
            rows.flush();
            finishDeflater();
            if (encrypted.isPresent()) {
                encrypted.get().finish(position, count);
            }
            byte[] trailer = ByteBuffer.allocate(TRAILER - 4)
                    .putLong(position)
                    .putLong(count)
                    .array();
            crc.update(trailer);
            file.write(trailer);
            file.write(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
            file.flush();
        }

        @Override
        public void close() throws IOException {
            deflater.end();
            file.close();
        }

        private void finishDeflater() throws IOException {
            deflater.finish();
            byte[] buffer = new byte[BUFFER];
            while (!deflater.finished()) {
                int length = deflater.deflate(buffer);
                body.write(buffer, 0, length);
            }
        }
    }

    /**
     * Checks a file whole, then visits its rows; returns the position it was written at.
     *
     * @param keystore that is asked when it is encrypted
     * @throws DamagedException when any byte is not as it was written; then no row was visited, unless it was forged
     * @throws io.packing.encryption.KeyUnavailableException when the key is not here
     */
    static long read(Path path, Keystore keystore, Rows.Visitor visitor) throws IOException {
        long size = Files.size(path);
        if (size < 8 + TRAILER) {
            throw new DamagedException(path + ": too short to be a row file");
        }
        ByteBuffer trailer = check(path, size);
        long position = trailer.getLong();
        long count = trailer.getLong();
        Inflater inflater = new Inflater();
        try (InputStream file = new BufferedInputStream(Files.newInputStream(path), BUFFER)) {
            InputStream body = body(path, file, size, keystore, position, count);
            DataInputStream rows = new DataInputStream(
                    new BufferedInputStream(new InflaterInputStream(body, inflater, BUFFER), BUFFER));
            long seen = 0;
            for (int length = rows.readInt(); length != -1; length = rows.readInt()) {
                byte[] key = bytes(rows, length, path);
                byte[] value = bytes(rows, rows.readInt(), path);
                seen++;
                if (!visitor.row(key, value)) {
                    return position;
                }
            }
            if (seen != count) {
                throw new DamagedException("%s: %d rows, want %d".formatted(path, seen, count));
            }
            return position;
        } finally {
            inflater.end();
        }
    }

    private static InputStream body(
            Path path, InputStream file, long size, Keystore keystore, long position, long count) throws IOException {
        DataInputStream head = new DataInputStream(file);
        head.skipNBytes(4);
        if (head.readInt() == PLAIN) {
            return file;
        }
        int length = head.readInt();
        long left = size - 12 - length - TRAILER;
        if (length < ObjectCipher.LEAST_RECORD || length > ObjectCipher.MAX_RECORD || left < 0) {
            throw new DamagedException("%s: a record of a key of %d bytes".formatted(path, length));
        }
        Optional<ObjectCipher> cipher = ObjectCipher.open(keystore, Purpose.ROWS, head.readNBytes(length));
        if (cipher.isEmpty()) {
            throw new DamagedException(path + ": the record of its key is not as it was written");
        }
        return new EncryptedRows.Input(cipher.get(), file, path.toString(), left, position, count);
    }

    private static boolean isVersion(int version) {
        return version == PLAIN || version == ENCRYPTED;
    }

    private static ByteBuffer check(Path path, long size) throws IOException {
        CRC32C crc = new CRC32C();
        try (InputStream file = new BufferedInputStream(Files.newInputStream(path), BUFFER);
                CheckedInputStream checked = new CheckedInputStream(file, crc)) {
            ByteBuffer head = ByteBuffer.wrap(checked.readNBytes(8));
            if (head.remaining() < 8 || head.getInt() != MAGIC || !isVersion(head.getInt())) {
                throw new DamagedException(path + ": not a row file of version 1 or 2");
            }
            checked.skipNBytes(size - 8 - TRAILER);
            ByteBuffer trailer = ByteBuffer.wrap(checked.readNBytes(TRAILER - 4));
            int actual = (int) crc.getValue();
            int want = ByteBuffer.wrap(file.readNBytes(4)).getInt();
            if (actual != want) {
                throw new DamagedException("%s: crc %08x, want %08x".formatted(path, actual, want));
            }
            return trailer;
        } catch (EOFException e) {
            throw new IOException(path + ": became shorter while it was read", e);
        }
    }

    private static byte[] bytes(DataInputStream in, int length, Path path) throws IOException {
        if (length < 0 || length > MAX_ROW) {
            throw new DamagedException("%s: a row of %d bytes".formatted(path, length));
        }
        return in.readNBytes(length);
    }
}
