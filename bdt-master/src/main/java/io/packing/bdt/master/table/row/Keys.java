// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import com.google.common.hash.HashCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The keys of a mount's table. The first byte names the kind; numbers are big-endian, so that they order as numbers.
 *
 * <pre>
 * a layer(8) end(8)        a reference of a layer of maps, up to this offset of the file: length, content, offset in the content. The layer
 *                          of a fragmented file that was never cloned has the file's id
 * a 0(8) layer(8)          a layer that no file has any more; its references are still to be removed
 * a 1(8) layer(8)          a layer of a file that was cloned: the one below it, the file, counts of references and of layers
 * a 1(8) layer(8) user(8) position(8)
 *                          the use of a frozen layer by the one above it, or by a row of the past of this position: parent(8) name
 * b number(8)              blob: name, total and live bytes
 * c content(8)             bytes that several files share: where they are
 * d number(8)              blob without live bytes: the position from which on it has none
 * e parent(8) name         directory entry: the inode
 * f SHA-256(32)            file version that had bytes of this hash when it was claimed; it may be over. Then the fingerprint of the
 *                          bytes; none in rows of older versions
 * g parent(8) name         name that a clone of a directory does not look for in its origin any more: position since when
 * h position(8)            journal entry that a recovery replayed or that came after one, kept for reclaims
 * i id(8)                  parent(8) name: where an inode is, or waits to be; with a position: the row of the past that has its bytes alone
 * j position(8)            journal entry since the last backup
 * k directory(8) pos.(8)   directory that snapshots up to this position see though it moved or is deleted: of which directory they are,
 *                          and from which position on, if there are several
 * l position(8) 1 id(8) parent(8) name
 *                          entry with a row of the past of this position, in the order of ids; 0: it was nothing; of snapshots of a history,
 *                          and of all in older versions
 * l position(8) 2 dir.(8)  directory that a snapshot of this position sees though it moved or is deleted
 * l position(8) 3 dir.(8)  directory in which entries have rows of the past of this position
 * m name                   counters and marks of the mount; 'held WORKER': what each session of a worker has claimed
 * n blob name              number of a blob
 * o directory(8)           quota of a directory: limits, and what counts
 * p parent(8) name         file versions that replace the file there when they are committed
 * q slot(8)                answer to a recent request; from slot 16,384 on: version that a recent claim was granted, and that ended
 * r content(8) inode(8)    an inode that has some of a content
 * r content(8) inode(8) position(8)
 *                          an inode of the past that has some of a content: parent(8) name
 * r content(8) layer(8) end(8) 1
 *                          a reference of a layer of maps to a content: length, offset in the content
 * s directory(8) pos.(8)   a snapshot of a directory
 * t content(8)             a content with bytes that may be unused
 * u owner(8) pos.(8) dir.(8)
 *                          a clone that needs what the snapshot of this position of the owner sees
 * v parent(8) name NUL position(8)
 *                          what an entry was until this position; empty: nothing
 * w worker                 a worker's latest session
 * x id(8)                  unlinked directory whose contents are still to be removed: the directory whose quota still counts them
 * y clone(8)               how many directories are part of a clone, itself among them
 * z position(8) id(8) ...  what a recovery has read and not merged yet
 * { directory(8) name      a snapshot of a directory by its name: the position
 * </pre>
 *
 * A letter alone is the fence before a kind. It is never read: a scan of the kind before ends at it, and does not have to pass the
 * removed rows of this kind, of which LevelDB keeps marks until a compaction.
 */
public final class Keys {
    public static final byte MAP = 'a';
    public static final byte BLOB = 'b';
    public static final byte CONTENT = 'c';
    public static final byte DEAD = 'd';
    public static final byte ENTRY = 'e';
    public static final byte HASH = 'f';
    static final byte GONE = 'g';
    public static final byte HISTORY = 'h';
    public static final byte INODE = 'i';
    public static final byte JOURNAL = 'j';
    public static final byte PIN = 'k';
    public static final byte BY_POSITION = 'l';
    public static final byte META = 'm';
    public static final byte BLOB_NUMBER = 'n';
    public static final byte QUOTA = 'o';
    public static final byte PENDING = 'p';
    public static final byte REQUEST = 'q';
    public static final byte REFERRER = 'r';
    public static final byte SNAPSHOT = 's';
    public static final byte TRIM = 't';
    public static final byte USE = 'u';
    public static final byte PAST = 'v';
    public static final byte WORKER = 'w';
    public static final byte REAP = 'x';
    public static final byte MEMBERS = 'y';
    public static final byte STAGED = 'z';
    /** Behind the letters, which are all in use. The fence before it ends the kind before. */
    public static final byte SNAPSHOT_NAME = '{';

    /** Requests whose answers are kept. The slots from this one on are those of claims that ended. */
    public static final int ANSWER_SLOTS = 16_384;

    private static final int NUMBERED = 1 + Long.BYTES;
    private static final int PART_REFERRER = NUMBERED + 2 * Long.BYTES + 1;

    private Keys() {}

    public static byte[] numbered(byte kind, long number) {
        return ByteBuffer.allocate(NUMBERED).put(kind).putLong(number).array();
    }

    public static byte[] named(byte kind, String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + utf8.length).put(kind).put(utf8).array();
    }

    public static byte[] entry(long parent, String name) {
        return inDirectory(ENTRY, parent, name);
    }

    public static byte[] hash(HashCode sha256) {
        return ByteBuffer.allocate(1 + sha256.bits() / Byte.SIZE)
                .put(HASH)
                .put(sha256.asBytes())
                .array();
    }

    /** The bytes of the hash that a row is of. */
    public static byte[] hash(byte[] key) {
        return Arrays.copyOfRange(key, 1, key.length);
    }

    /** A name that a directory does not have from its origin any more. */
    public static byte[] gone(long parent, String name) {
        return inDirectory(GONE, parent, name);
    }

    /** Returns the key of a directory that needs a snapshot. */
    public static byte[] use(long owner, long position, long user) {
        return ByteBuffer.allocate(NUMBERED + 2 * Long.BYTES)
                .put(USE)
                .putLong(owner)
                .putLong(position)
                .putLong(user)
                .array();
    }

    /** Returns the key of a snapshot by its name. */
    public static byte[] snapshotName(long directory, String name) {
        return inDirectory(SNAPSHOT_NAME, directory, name);
    }

    /** Returns the key of an entry with a row of the past of a position. */
    public static byte[] entryByPosition(EntryLink at, long id, long position) {
        byte[] utf8 = at.name().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(NUMBERED + 1 + 2 * Long.BYTES + utf8.length)
                .put(BY_POSITION)
                .putLong(position)
                .put((byte) 1)
                .putLong(id)
                .putLong(at.parent())
                .put(utf8)
                .array();
    }

    public static byte[] pending(long parent, String name) {
        return inDirectory(PENDING, parent, name);
    }

    private static byte[] inDirectory(byte kind, long parent, String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(NUMBERED + utf8.length)
                .put(kind)
                .putLong(parent)
                .put(utf8)
                .array();
    }

    public static byte[] referrer(long content, long inode) {
        return pair(REFERRER, content, inode);
    }

    /** An inode as it was until a position. */
    public static byte[] pastReferrer(long content, long inode, long position) {
        return ByteBuffer.allocate(NUMBERED + 2 * Long.BYTES)
                .put(REFERRER)
                .putLong(content)
                .putLong(inode)
                .putLong(position)
                .array();
    }

    /** A reference of a fragmented file, by its end in the file. */
    public static byte[] partReferrer(long content, long inode, long end) {
        return ByteBuffer.allocate(PART_REFERRER)
                .put(REFERRER)
                .putLong(content)
                .putLong(inode)
                .putLong(end)
                .put((byte) 1)
                .array();
    }

    /** Returns whether a referrer is one of the past. */
    public static boolean isPastReferrer(byte[] key) {
        return key.length == PART_REFERRER - 1;
    }

    /** Returns whether a referrer is a reference of a fragmented file. */
    public static boolean isPartReferrer(byte[] key) {
        return key.length == PART_REFERRER;
    }

    /** The end in the file of the reference that a row is of. */
    static long partEnd(byte[] partReferrer) {
        return ByteBuffer.wrap(partReferrer).getLong(NUMBERED + Long.BYTES);
    }

    public static byte[] pair(byte kind, long first, long second) {
        return ByteBuffer.allocate(NUMBERED + Long.BYTES)
                .put(kind)
                .putLong(first)
                .putLong(second)
                .array();
    }

    /** Returns the key of an entry as it was until a position. */
    public static byte[] past(EntryLink at, long position) {
        byte[] utf8 = at.name().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(NUMBERED + utf8.length + 1 + Long.BYTES)
                .put(PAST)
                .putLong(at.parent())
                .put(utf8)
                .put((byte) 0)
                .putLong(position)
                .array();
    }

    /** Returns the key between the entries up to this one and later ones. It divides their rows of the past, too: no name has a NUL. */
    public static byte[] afterEntry(byte[] entryKey) {
        byte[] key = Arrays.copyOf(entryKey, entryKey.length + 1);
        key[entryKey.length] = 1;
        return key;
    }

    /** Returns the key that divides rows of the past, given the key that divides their entries. */
    public static byte[] pastOf(byte[] entryKey) {
        byte[] key = entryKey.clone();
        key[0] = PAST;
        return key;
    }

    /** Returns the key of an entry as it was until a position, by the key of the entry. */
    public static byte[] pastFrom(byte[] entryKey, long position) {
        byte[] key = ByteBuffer.allocate(entryKey.length + 1 + Long.BYTES)
                .put(entryKey)
                .put((byte) 0)
                .putLong(position)
                .array();
        key[0] = PAST;
        return key;
    }

    /** The key of the entry that a row of the past is of. */
    public static byte[] entryOfPast(byte[] pastKey) {
        byte[] key = Arrays.copyOf(pastKey, pastKey.length - 1 - Long.BYTES);
        key[0] = ENTRY;
        return key;
    }

    public static long pastPosition(byte[] pastKey) {
        return ByteBuffer.wrap(pastKey).getLong(pastKey.length - Long.BYTES);
    }

    /** A pinned directory by the position. */
    public static byte[] pinByPosition(long directory, long position) {
        return byPosition(position, (byte) 2, directory);
    }

    /** A directory in which entries have rows of the past, by their position. */
    public static byte[] changedByPosition(long directory, long position) {
        return byPosition(position, (byte) 3, directory);
    }

    private static byte[] byPosition(long position, byte what, long directory) {
        return ByteBuffer.allocate(NUMBERED + 1 + Long.BYTES)
                .put(BY_POSITION)
                .putLong(position)
                .put(what)
                .putLong(directory)
                .array();
    }

    /** Returns whether a row by position is of an entry, and not of a pinned directory. */
    public static boolean isEntryByPosition(byte[] key) {
        return key[NUMBERED] == 1;
    }

    /** Returns whether a row by position is of a directory in which entries have rows of the past. */
    public static boolean isChangedByPosition(byte[] key) {
        return key[NUMBERED] == 3;
    }

    /** The entry that a row by position is of. */
    public static EntryLink linkByPosition(byte[] key) {
        int parent = NUMBERED + 1 + Long.BYTES;
        int name = parent + Long.BYTES;
        return new EntryLink(
                ByteBuffer.wrap(key).getLong(parent), new String(key, name, key.length - name, StandardCharsets.UTF_8));
    }

    /** The directory that a row by position is of. */
    public static long directoryByPosition(byte[] key) {
        return ByteBuffer.wrap(key).getLong(NUMBERED + 1);
    }

    public static byte[] staged(long position, long id, String blob) {
        byte[] utf8 = blob.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + 2 * Long.BYTES + utf8.length)
                .put(STAGED)
                .putLong(position)
                .putLong(id)
                .put(utf8)
                .array();
    }

    /** Returns the key of an entry as of an earlier position than its place in the log: before all rows of that position. */
    public static byte[] stagedBefore(long position) {
        return staged(Math.max(1, position - 1), 0, "since");
    }

    public static byte[] entries(long parent) {
        return numbered(ENTRY, parent);
    }

    public static byte[] entriesEnd(long parent) {
        return numbered(ENTRY, parent + 1);
    }

    /** Returns the key at which the rows of a kind begin; the fence is below it. */
    public static byte[] kind(byte kind) {
        return new byte[] {kind, 0};
    }

    /** The fence behind a kind. */
    public static byte[] kindEnd(byte kind) {
        return new byte[] {(byte) (kind + 1)};
    }

    /** Returns whether a row is the fence before a kind. */
    public static boolean isFence(byte[] key) {
        return key.length == 1;
    }

    /** The smallest key above this one. */
    public static byte[] after(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }

    public static long number(byte[] key) {
        return ByteBuffer.wrap(key).getLong(1);
    }

    public static long secondNumber(byte[] stagedKey) {
        return ByteBuffer.wrap(stagedKey).getLong(NUMBERED);
    }

    public static String stagedBlob(byte[] key) {
        return new String(key, NUMBERED + Long.BYTES, key.length - NUMBERED - Long.BYTES, StandardCharsets.UTF_8);
    }

    public static String entryName(byte[] key) {
        return new String(key, NUMBERED, key.length - NUMBERED, StandardCharsets.UTF_8);
    }

    public static String name(byte[] key) {
        return new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
    }
}
