// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import io.packing.buffers.Slices;
import io.packing.durable.DurableDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A write-ahead log of LevelDB or RocksDB, whose end a power loss may have torn. Both engines take a record header of
 * zeros for unused room, and read on behind it. At other damage LevelDB refuses the store, and RocksDB silently drops
 * all that follows. So this class reads the log before the engine does. It keeps the whole records before the damage,
 * and cuts off the rest, which was never synced.
 *
 * <pre>
 * block   32,768 bytes of records; fewer than 7 bytes at its end are zeros
 * record  0:4 CRC32C of type and payload, rotated and masked   4:6 payload length   6: type   7: payload   little-endian
 * type    1 whole   2 first, 3 middle, 4 last part of a batch   0 room that was never written
 * </pre>
 *
 * RocksDB has further types, for options that are not set here.
 */
final class WriteAheadLog {
    private static final Logger LOG = LoggerFactory.getLogger(WriteAheadLog.class);
    private static final int BLOCK = 32_768;
    private static final int HEADER = 7;
    private static final int WHOLE = 1;
    private static final int FIRST = 2;
    private static final int LAST = 4;

    private final ByteBuffer bytes;
    /** The end of the last whole batch. */
    private int sound;

    private int at;

    private WriteAheadLog(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Cuts torn ends off the logs of a store.
     *
     * @param restarted true if the machine was restarted since they were written: then sectors may be missing anywhere
     *     behind the last sync. Otherwise damage before sound records comes from a failing disk
     * @param cut bytes that replace a torn end
     * @throws IOException when a disk damaged a log
     */
    static void mend(Path data, boolean restarted, byte... cut) throws IOException {
        if (!Files.isDirectory(data)) {
            return;
        }
        List<Path> logs;
        try (Stream<Path> files = Files.list(data)) {
            logs = files.filter(WriteAheadLog::isLog).toList();
        }
        for (Path log : logs) {
            mendOne(log, restarted, ByteBuffer.wrap(cut));
        }
    }

    /** Syncs the logs of a store, since LevelDB does not when it goes on to the next one. */
    static void force(Path data) throws IOException {
        List<Path> logs;
        try (Stream<Path> files = Files.list(data)) {
            logs = files.filter(WriteAheadLog::isLog).toList();
        }
        for (Path log : logs) {
            try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
                channel.force(false);
            } catch (NoSuchFileException e) {
                // A table has its batches by now, which is synced.
            }
        }
        DurableDirectory.sync(data);
    }

    private static boolean isLog(Path file) {
        return file.toString().endsWith(".log");
    }

    private static void mendOne(Path file, boolean restarted, ByteBuffer cut) throws IOException {
        WriteAheadLog log = new WriteAheadLog(Files.readAllBytes(file));
        log.walk();
        int length = log.bytes.limit();
        if (log.sound == length) {
            return;
        }
        if (!restarted && log.goesOn()) {
            throw new IOException(
                    "%s is damaged behind byte %d, and sound batches follow; restore or remove the directory"
                            .formatted(file, log.sound));
        }
        if (log.holdsAnything(log.sound)) {
            LOG.warn("{}: dropping {} bytes that were not synced when the power went", file, length - log.sound);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(log.sound);
            channel.write(cut, log.sound);
            channel.force(true);
        }
    }

    /** Goes over records until one is not sound. */
    private void walk() {
        boolean inside = false;
        for (int type = next(); type > 0; type = next()) {
            boolean starts = type == WHOLE || type == FIRST;
            if (starts == inside) {
                return;
            }
            inside = type != WHOLE && type != LAST;
            if (!inside) {
                sound = at;
            }
        }
    }

    /** Returns the type of the record here, and moves behind it; 0 without a sound one. */
    private int next() {
        int left = BLOCK - at % BLOCK;
        int from = left < HEADER ? at + left : at;
        if (from + HEADER > bytes.limit()) {
            return 0;
        }
        int length = Short.toUnsignedInt(bytes.getShort(from + 4));
        int type = bytes.get(from + 6);
        int end = from + HEADER + length;
        if (type < WHOLE || type > LAST || end > bytes.limit() || end > from - from % BLOCK + BLOCK) {
            return 0;
        }
        CRC32C crc = new CRC32C();
        crc.update(Slices.of(bytes, from + 6, 1 + length));
        int masked = Integer.rotateRight((int) crc.getValue(), 15) + 0xa282ead8;
        if (masked != bytes.getInt(from)) {
            return 0;
        }
        at = end;
        return type;
    }

    /** Returns whether a later block starts with a sound record. */
    private boolean goesOn() {
        for (int block = at - at % BLOCK + BLOCK; block < bytes.limit(); block += BLOCK) {
            at = block;
            if (next() > 0) {
                return true;
            }
        }
        return false;
    }

    private boolean holdsAnything(int from) {
        for (int i = from; i < bytes.limit(); i++) {
            if (bytes.get(i) != 0) {
                return true;
            }
        }
        return false;
    }
}
