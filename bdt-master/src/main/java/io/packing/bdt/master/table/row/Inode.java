// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A stored file or directory.
 *
 * @param generation log position of a file's claim, or from which on a directory has been there
 */
public record Inode(long id, long generation, FileAttributes attributes, Place place, ExtraAttributes extras) {
    private static final int VERSION = 1;
    /** The version of rows of the past that have the bytes of their file alone. Masters of older versions must not read them. */
    private static final int ALONE = 2;
    /** The version of rows of fragmented files, which masters of older versions must not read. */
    private static final int FRAGMENTED = 3;
    /** As the other, of files whose map has layers. */
    private static final int LAYERED = 4;

    private static final int MAPPED = 4;
    /** The bit of the kind that says that the row has extra attributes. */
    private static final int WITH_EXTRAS = 8;
    /** Bits of a stored length; the ones above say which codec but DEFLATE, whose rows are older than the others. */
    private static final int STORED_BITS = 23;

    public static final long ROOT_ID = 1;

    /** Makes an inode without extra attributes. */
    public Inode(long id, long generation, FileAttributes attributes, Place place) {
        this(id, generation, attributes, place, ExtraAttributes.NONE);
    }

    /** The place of an inode's bytes. */
    public sealed interface Place {}

    /**
     * A directory has none.
     *
     * @param origin what it is a clone of
     */
    public record Directory(Optional<Origin> origin) implements Place {
        public Directory() {
            this(Optional.empty());
        }
    }

    /**
     * In the buffer of a worker, claimed or reclaimed by this session.
     *
     * @param deferred whether the claim was: then the writer has had no answer yet
     */
    public record Buffered(SessionId session, boolean deferred) implements Place {
        public String worker() {
            return session.worker();
        }

        public long sessionEpoch() {
            return session.sessionEpoch();
        }
    }

    /** In contents that other files may share. */
    public record Mapped(ReferenceMap map) implements Place {}

    /**
     * In contents that other files may share, as {@link Mapped}, with the map in rows of its own (RFC 0020).
     *
     * @param references of which the map consists at most, holes over lower layers among them
     * @param layer the top of the map's layers; 0: the map has one layer, with the id of the inode
     * @param below those of the references that the layers below the top have
     */
    public record Fragmented(long references, long layer, long below) implements Place {
        public Fragmented {
            if (below < 0 || references < below || layer < 0 || (layer == 0 && below > 0)) {
                throw new Bytes.MalformedException(
                        "a map of %d references, %d below layer %d".formatted(references, below, layer));
            }
        }

        /** Makes the place of a file whose map has one layer, with the id of the inode. */
        public Fragmented(long references) {
            this(references, 0, 0);
        }

        /** Returns the top layer of a file of this id. */
        public long top(long inode) {
            return layer == 0 ? inode : layer;
        }

        /** Returns the number of references and holes of the top. */
        public long own() {
            return references - below;
        }

        /** Returns a place with so many more references in the top. */
        public Fragmented plus(long more) {
            return new Fragmented(references + more, layer, below);
        }
    }

    /**
     * A name of a file that has, or had, several. It has no bytes and no attributes: they are the file's.
     *
     * @param file its id, by which {@code HardLinks} finds it
     */
    public record Linked(long file) implements Place {}

    /**
     * The place of a content or file that the journal names, and that its worker has not reclaimed since a recovery.
     *
     * @param setAside whether an operator has moved it out of the way
     */
    public record Missing(boolean setAside) implements Place {
        public Missing() {
            this(false);
        }
    }

    /** In blobs. Encoded, because a listing of many large files does not look at the extents. */
    public static final class Packed implements Place {
        private final byte[] encoded;

        private Packed(byte[] encoded) {
            this.encoded = encoded;
        }

        public static Packed of(List<StoredExtent> extents) {
            Bytes.Out out = new Bytes.Out().number(extents.size());
            long end = 0;
            for (StoredExtent stored : extents) {
                Extent e = stored.extent();
                boolean encoded = e.codec() != Codec.NONE;
                out.number(stored.blob() << 1 | (encoded ? 1 : 0))
                        .number(e.fileOffset() - end)
                        .number(e.length())
                        .number(e.blobOffset())
                        .fixed4(e.crc32c());
                if (encoded) {
                    out.number((long) (e.codec().number() - 1) << STORED_BITS | e.storedLength());
                }
                end = e.fileEnd();
            }
            return new Packed(out.toBytes());
        }

        static Packed decode(byte[] encoded) {
            return new Packed(encoded);
        }

        public List<StoredExtent> extents() {
            Bytes.In in = new Bytes.In(encoded);
            int count = in.smallNumber();
            List<StoredExtent> extents = new ArrayList<>(Math.min(count, encoded.length));
            long end = 0;
            for (int i = 0; i < count; i++) {
                long blob = in.number();
                boolean encoded = (blob & 1) != 0;
                long fileOffset = end + in.number();
                int length = in.smallNumber();
                long blobOffset = in.number();
                int crc = in.fixed4();
                int stored = encoded ? in.smallNumber() : length;
                Codec codec = encoded ? Codec.of(1 + (stored >>> STORED_BITS)) : Codec.NONE;
                int storedLength = stored & (1 << STORED_BITS) - 1;
                Extent extent = new Extent(fileOffset, length, blobOffset, storedLength, codec, crc);
                extents.add(new StoredExtent(blob >>> 1, extent));
                end = extent.fileEnd();
            }
            return extents;
        }
    }

    /** An extent in a blob that is named by its number in the table. */
    public record StoredExtent(long blob, Extent extent) {}

    /** Returns whether bytes are not as durable yet as their mount asks: their claim waits until the store has them. */
    public static boolean isUncommitted(Place place) {
        return place instanceof Buffered buffered && buffered.deferred();
    }

    /** Returns whether a file has its bytes from contents, by a map in its entry or in rows. */
    public static boolean hasMap(Place place) {
        return place instanceof Mapped || place instanceof Fragmented;
    }

    public boolean isUncommitted() {
        return isUncommitted(place);
    }

    public boolean isDirectory() {
        return place instanceof Directory;
    }

    /** Returns the origin of a clone; empty: it is none. */
    public Optional<Origin> origin() {
        return place instanceof Directory directory ? directory.origin() : Optional.empty();
    }

    public FileVersion version() {
        return new FileVersion(id, isDirectory() ? 0 : generation);
    }

    /** Returns the status that clients see. */
    public FileStatus status(FilePath path, FileStatus.State state) {
        return new FileStatus(path, version(), attributes, state, extras.told());
    }

    /** Returns the attributes after a change. A client that changes permissions need not know of types: a mode without a type leaves the type. */
    public static FileAttributes changed(FileAttributes old, AttributeChange change) {
        int mode = change.mode().orElse(old.mode());
        return new FileAttributes(
                old.length(),
                change.mtimeMillis().orElse(old.mtimeMillis()),
                change.owner().orElse(old.owner()),
                change.group().orElse(old.group()),
                (mode & FileAttributes.TYPE) != 0 ? mode : (old.mode() & FileAttributes.TYPE) | mode);
    }

    public Inode at(Place newPlace) {
        return new Inode(id, generation, attributes, newPlace, extras);
    }

    public Inode with(FileAttributes other, ExtraAttributes others) {
        return new Inode(id, generation, other, place, others);
    }

    public byte[] encode() {
        if (place instanceof Fragmented fragmented) {
            return encode(fragmented.layer() == 0 ? FRAGMENTED : LAYERED);
        }
        return encode(VERSION);
    }

    /** Encodes a row of the past that has the extents of its file, as no content has them. */
    public byte[] encodeAlone() {
        return encode(ALONE);
    }

    private byte[] encode(int version) {
        Bytes.Out out = new Bytes.Out()
                .byte1(version << 4 | kind(place) | (extras.isNone() ? 0 : WITH_EXTRAS))
                .number(id)
                .number(generation)
                .number(attributes.length())
                .signed(attributes.mtimeMillis())
                .text(attributes.owner())
                .text(attributes.group())
                .number(attributes.mode());
        if (!extras.isNone()) {
            out.blob(extras.encode());
        }
        encode(place, out);
        return out.toBytes();
    }

    public static void encode(Place place, Bytes.Out out) {
        if (place instanceof Buffered buffered) {
            out.text(buffered.worker()).number(buffered.sessionEpoch());
        } else if (place instanceof Packed packed) {
            out.raw(packed.encoded);
        } else if (place instanceof Mapped mapped) {
            mapped.map().encode(out);
        } else if (place instanceof Fragmented fragmented) {
            out.number(fragmented.references());
            if (fragmented.layer() != 0) {
                out.number(fragmented.layer()).number(fragmented.below());
            }
        } else if (place instanceof Linked linked) {
            out.number(linked.file());
        } else if (place instanceof Missing missing && missing.setAside()) {
            out.byte1(1);
        } else if (place instanceof Directory directory && directory.origin().isPresent()) {
            directory.origin().get().encode(out);
        }
    }

    /** Returns whether a row is of a file that is in no blob, without reading the rest. */
    public static boolean isHeld(byte[] row) {
        int kind = row[0] & 7;
        return kind == 1 || kind == 3 || kind == 5;
    }

    /** Returns whether a row is of the past and has the bytes of its file alone. */
    static boolean isAlone(byte[] row) {
        return row[0] >>> 4 == ALONE;
    }

    public static Inode decode(byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        int head = in.byte1();
        boolean isLayered = head >>> 4 == LAYERED && (head & 7) == MAPPED;
        boolean isFragmented = isLayered || (head >>> 4 == FRAGMENTED && (head & 7) == MAPPED);
        if (head >>> 4 != VERSION && head >>> 4 != ALONE && !isFragmented) {
            throw new Bytes.MalformedException(
                    "inode of version %d and kind %d, which a newer master wrote: update this master"
                            .formatted(head >>> 4, head & 7));
        }
        long id = in.number();
        long generation = in.number();
        FileAttributes attributes =
                new FileAttributes(in.number(), in.signed(), in.text(), in.text(), in.smallNumber());
        ExtraAttributes extras = (head & WITH_EXTRAS) == 0 ? ExtraAttributes.NONE : ExtraAttributes.decode(in.blob());
        Place place = isFragmented ? fragmented(in, isLayered) : place(head & 7, in);
        return new Inode(id, generation, attributes, place, extras);
    }

    private static Fragmented fragmented(Bytes.In in, boolean isLayered) {
        return isLayered ? new Fragmented(in.number(), in.number(), in.number()) : new Fragmented(in.number());
    }

    static Place place(int kind, Bytes.In in) {
        return switch (kind) {
            case 0 -> new Directory();
            case 1, 3 -> new Buffered(new SessionId(in.text(), in.number()), kind == 3);
            case 2 -> new Packed(in.rest());
            case MAPPED -> new Mapped(ReferenceMap.decode(in));
            case 5 -> new Missing(in.hasMore() && in.byte1() == 1);
            case 6 -> new Directory(Optional.of(Origin.decode(in)));
            case 7 -> new Linked(in.number());
            default -> throw new Bytes.MalformedException("inode of kind " + kind);
        };
    }

    static int kind(Place place) {
        if (place instanceof Directory directory) {
            return directory.origin().isPresent() ? 6 : 0;
        }
        if (place instanceof Buffered buffered) {
            return buffered.deferred() ? 3 : 1;
        }
        if (hasMap(place)) {
            return MAPPED;
        }
        if (place instanceof Linked) {
            return 7;
        }
        return place instanceof Missing ? 5 : 2;
    }
}
