// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.BdtStatistics;
import io.packing.bdt.Reach;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapLayer;
import io.packing.bdt.master.table.row.Reached;
import java.util.zip.CRC32C;

/**
 * The numbers that a mount keeps in one row. Confined to the writer thread.
 *
 * <p>Positions and ids only grow; a mutation that is refused may leave gaps in both.
 */
public final class Counters {
    /** The key of their row. */
    public static final byte[] KEY = Keys.named(Keys.META, "counters");

    private static final int VERSION = 1;
    /** The distance that ids and positions jump at a recovery, so that numbers of the lost tail are never used again. */
    private static final long JUMP = 1L << 32;

    /** The position of the last mutation. */
    long position;

    long nextId = Inode.ROOT_ID + 1;
    long nextBlob = 1;
    long nextLayer = MapLayer.FIRST_ID;
    long files;
    long directories;
    long bufferedFiles;
    long packedBytes;
    long blobs;
    long blobBytes;
    long liveBytes;
    /** True if rows count the files that workers hold; a master of an older version writes none. */
    boolean heldAreCounted = true;

    private HeldFiles held = new HeldFiles();

    public long position() {
        return position;
    }

    public long nextId() {
        return nextId;
    }

    /** Returns how far the table is. */
    public Reached standing() {
        CRC32C crc = new CRC32C();
        crc.update(encode());
        return new Reached(position, nextId, crc.getValue());
    }

    /** Ids from now on are beyond all that masters of earlier lease epochs may have leased. */
    public void jumpIds(long epoch) {
        nextId = afterJump(nextId, epoch);
    }

    /** Positions from now on are beyond all that masters of earlier lease epochs may have used. */
    public void jumpPosition(long epoch) {
        position = afterJump(position, epoch);
    }

    /** The position of something new. */
    public long nextPosition() {
        return ++position;
    }

    /** The files that workers hold, as far as they are counted beside. */
    public HeldFiles held() {
        return held;
    }

    void hold(HeldFiles files) {
        held = files;
    }

    /** An inode is there from now on (1), or not any more (-1). */
    void count(Inode inode, int sign) {
        if (inode.isDirectory()) {
            directories += sign;
            return;
        }
        if (inode.place() instanceof Inode.Linked) {
            // A name; the file is counted where it is.
            return;
        }
        files += sign;
        held.count(inode.place(), inode.attributes().length(), sign);
        if (inode.place() instanceof Inode.Buffered) {
            bufferedFiles += sign;
        } else {
            packedBytes += sign * inode.attributes().length();
        }
    }

    /** Beyond all that the lost tail used, also when an earlier recovery left nothing in the store but its lease epoch. */
    private static long afterJump(long number, long epoch) {
        return Math.max(number, (epoch - 1) * JUMP) + JUMP;
    }

    public byte[] encode() {
        Bytes.Out out = new Bytes.Out()
                .byte1(VERSION)
                .number(position)
                .number(nextId)
                .number(nextBlob)
                .signed(files)
                .signed(directories)
                .signed(bufferedFiles)
                .signed(packedBytes)
                .signed(blobs)
                .signed(blobBytes)
                .signed(liveBytes)
                .byte1(heldAreCounted ? 1 : 0);
        // A table without layers has the row of before.
        return nextLayer == MapLayer.FIRST_ID
                ? out.toBytes()
                : out.number(nextLayer).toBytes();
    }

    public static Counters decode(byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        int version = in.byte1();
        if (version != VERSION) {
            throw new Bytes.MalformedException("counters of version " + version);
        }
        Counters c = new Counters();
        c.position = in.number();
        c.nextId = in.number();
        c.nextBlob = in.number();
        c.files = in.signed();
        c.directories = in.signed();
        c.bufferedFiles = in.signed();
        c.packedBytes = in.signed();
        c.blobs = in.signed();
        c.blobBytes = in.signed();
        c.liveBytes = in.signed();
        // Rows of older versions end here.
        c.heldAreCounted = in.hasMore() && in.byte1() == 1;
        c.nextLayer = in.hasMore() ? in.number() : MapLayer.FIRST_ID;
        return c;
    }

    void set(Counters other) {
        position = other.position;
        nextId = other.nextId;
        nextBlob = other.nextBlob;
        nextLayer = other.nextLayer;
        files = other.files;
        directories = other.directories;
        bufferedFiles = other.bufferedFiles;
        packedBytes = other.packedBytes;
        blobs = other.blobs;
        blobBytes = other.blobBytes;
        liveBytes = other.liveBytes;
        heldAreCounted = other.heldAreCounted;
    }

    public BdtStatistics statistics() {
        return new BdtStatistics(
                files,
                directories,
                bufferedFiles - held.notWaiting(),
                packedBytes,
                blobs,
                blobBytes,
                Math.max(0, blobBytes - liveBytes),
                held.lost().files(),
                held.lost().bytes(),
                held.missing().files(),
                Reach.ANY);
    }
}
