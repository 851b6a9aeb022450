// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A pass over an inflated footer, one file and one extent at a time, with all local checks. {@link Footer} does the
 * checks of the whole footer: overlaps between files, repeated ids. It uses memory for one path.
 */
final class FooterCursor {
    private final FooterInput in;
    private final int version;
    private final int keyBytes;
    private final long bodyStart;
    private final long footerOffset;
    private final PathDecoder path;
    private final List<String> names;
    private int filesLeft;
    private int extentsLeft;

    private long id;
    private long lag;
    private long generation;
    private long length;
    private long mtimeMillis;
    private int owner;
    private int group;
    private int mode;

    private long fileOffset;
    private long fileEnd;
    private int extentLength;
    private long blobOffset;
    private int storedLength;
    private long blobEnd;
    private Codec codec = Codec.NONE;
    private int crc32c;

    FooterCursor(String blob, BlobTrailer trailer, byte[] inflated) throws CorruptBlobException {
        in = new FooterInput(blob, inflated);
        footerOffset = trailer.footerOffset();
        version = trailer.version();
        keyBytes = version == BlobHeader.VERSION_3 ? keyBytes() : 0;
        bodyStart = (long) BlobHeader.SIZE + keyBytes + (version == BlobHeader.VERSION_1 ? 0 : dictionaryBytes());
        blobEnd = bodyStart;
        path = new PathDecoder(in, inflated);
        filesLeft = trailer.fileCount();
        names = names(in, inflated, (int) Math.min(Integer.MAX_VALUE, 2L * filesLeft));
    }

    private int keyBytes() throws CorruptBlobException {
        int bytes = in.count("the key section's bytes", BlobKey.MAX_SECTION);
        if (bytes < BlobKey.LEAST_SECTION || bytes > footerOffset - BlobHeader.SIZE) {
            throw in.corrupt("a key section of %d bytes is not possible before %d".formatted(bytes, footerOffset));
        }
        return bytes;
    }

    /** Returns the bytes of the key section; 0 when the blob has none. */
    int keySectionBytes() {
        return keyBytes;
    }

    private int dictionaryBytes() throws CorruptBlobException {
        int bytes = in.count("the dictionary's bytes", Dictionary.MAX_SECTION + (keyBytes > 0 ? BlobKey.TAG_BYTES : 0));
        if (bytes != 0 && (bytes < Dictionary.LEAST_SECTION || bytes > footerOffset - BlobHeader.SIZE - keyBytes)) {
            throw in.corrupt("a dictionary of %d bytes is not possible before %d".formatted(bytes, footerOffset));
        }
        return bytes;
    }

    /** Returns the start of the body: behind the header, the key section and the dictionary. */
    long bodyStart() {
        return bodyStart;
    }

    private static List<String> names(FooterInput in, byte[] inflated, int most) throws CorruptBlobException {
        int count = in.count("the number of names", most);
        Utf8Check utf8 = new Utf8Check();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int size = in.count("a name's length", FileAttributes.MAX_NAME_BYTES);
            int from = in.take(size);
            if (!utf8.isWellFormed(inflated, from, from + size)) {
                throw in.corrupt("name %d is not UTF-8".formatted(i));
            }
            names.add(new String(inflated, from, size, StandardCharsets.UTF_8));
        }
        return names;
    }

    /** Moves to the next file, past extents that the caller did not read. Returns false at the end. */
    boolean nextFile() throws CorruptBlobException {
        while (nextExtent()) {
            // Passes over extents that the caller did not read.
        }
        if (filesLeft == 0) {
            if (in.remaining() != 0) {
                throw in.corrupt("%d bytes follow the last file".formatted(in.remaining()));
            }
            return false;
        }
        filesLeft--;
        long oldId = id;
        long oldGeneration = generation;
        boolean samePath = path.next();
        id += in.signed();
        lag += in.signed();
        generation = id + lag;
        if (id <= 0 || generation < 0) {
            throw in.corrupt("'%s' has the version %d@%d".formatted(path, id, generation));
        }
        if (samePath && (generation < oldGeneration || (generation == oldGeneration && id <= oldId))) {
            throw in.corrupt("the versions of '%s' are repeated or out of order".formatted(path));
        }
        length = in.size("the file's length");
        mtimeMillis += in.signed();
        owner = in.count("the owner's index", names.size() - 1);
        group = in.count("the group's index", names.size() - 1);
        mode = in.count("the mode", 07777);
        // An extent takes at least eight bytes, so this finds an impossible count before any allocation.
        extentsLeft = in.count("the number of extents", in.remaining() / 8);
        fileEnd = 0;
        return true;
    }

    /** Moves to the file's next extent. Returns false when it has no more. */
    boolean nextExtent() throws CorruptBlobException {
        if (extentsLeft == 0) {
            return false;
        }
        extentsLeft--;
        long skip = in.size("the offset in the file");
        extentLength = in.count("the extent's length", Extent.MAX_LENGTH);
        if (extentLength == 0 || skip > length - fileEnd || extentLength > length - fileEnd - skip) {
            throw in.corrupt("'%s' has an extent of %d bytes at %d + %d, past its length %d"
                    .formatted(path, extentLength, fileEnd, skip, length));
        }
        fileOffset = fileEnd + skip;
        fileEnd = fileOffset + extentLength;
        blobOffset = blobEnd + in.signed();
        int number = in.octet();
        codec = Codec.byNumber(number)
                .filter(known ->
                        known.sinceVersion() <= version && known.isEncrypted() == (version == BlobHeader.VERSION_3))
                .orElseThrow(() -> in.corrupt("'%s' has an extent of unknown codec %d".formatted(path, number)));
        if (codec.plain() == Codec.ZSTD_DICTIONARY && bodyStart == BlobHeader.SIZE + keyBytes) {
            throw in.corrupt("'%s' has an extent that needs a dictionary, and there is none".formatted(path));
        }
        storedLength = codec == Codec.NONE
                ? extentLength
                : in.count("the stored length", Extent.MAX_LENGTH + codec.tagBytes());
        boolean odd = codec == Codec.AES_NONE && storedLength != extentLength + codec.tagBytes();
        if (odd
                || storedLength <= codec.tagBytes()
                || blobOffset < bodyStart
                || blobOffset > footerOffset - storedLength) {
            throw in.corrupt("'%s' has an extent at %d+%d, outside the body %d to %d"
                    .formatted(path, blobOffset, storedLength, bodyStart, footerOffset));
        }
        blobEnd = blobOffset + storedLength;
        crc32c = in.fixed32();
        return true;
    }

    /** Compares the current file's path with another, given as UTF-8. */
    int comparePath(byte[] other) {
        return path.compareTo(other);
    }

    long id() {
        return id;
    }

    long blobOffset() {
        return blobOffset;
    }

    long blobEnd() {
        return blobEnd;
    }

    Extent extent() {
        return new Extent(fileOffset, extentLength, blobOffset, storedLength, codec, crc32c);
    }

    /** Returns the current file with the extents that the caller did not pass yet. */
    PackedFile file() throws CorruptBlobException {
        List<Extent> extents = List.of();
        if (extentsLeft > 0) {
            Extent[] all = new Extent[extentsLeft];
            for (int i = 0; nextExtent(); i++) {
                all[i] = extent();
            }
            extents = List.of(all);
        }
        return new PackedFile(
                new FileVersion(id, generation),
                path.toFilePath(),
                new FileAttributes(length, mtimeMillis, names.get(owner), names.get(group), mode),
                extents);
    }

    /** The prefix-compressed paths of a footer, with a check of each. */
    private static final class PathDecoder {
        private final FooterInput in;
        private final byte[] source;
        private final Utf8Check utf8 = new Utf8Check();
        private byte[] bytes = new byte[256];
        private int size;

        PathDecoder(FooterInput in, byte[] source) {
            this.in = in;
            this.source = source;
        }

        /** Reads the next path. Returns whether it equals the one before. */
        boolean next() throws CorruptBlobException {
            int prefix = in.count("the path's prefix", size);
            int suffix = in.count("the path's suffix", FilePath.MAX_BYTES - prefix);
            int from = in.take(suffix);
            if (prefix < size && FooterEncoder.isContinuation(bytes[prefix])) {
                throw in.corrupt("a path's prefix ends inside a character");
            }
            int order = Arrays.compareUnsigned(source, from, from + suffix, bytes, prefix, size);
            if (order < 0) {
                throw in.corrupt("the paths are out of order after '%s'".formatted(this));
            }
            if (prefix + suffix > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(prefix + suffix, 2 * bytes.length));
            }
            System.arraycopy(source, from, bytes, prefix, suffix);
            size = prefix + suffix;
            if (order > 0 || size == 0) {
                checkComponents(prefix);
                if (!utf8.isWellFormed(bytes, prefix, size)) {
                    throw in.corrupt("path '%s' is not UTF-8".formatted(this));
                }
            }
            return order == 0;
        }

        int compareTo(byte[] other) {
            return Arrays.compareUnsigned(bytes, 0, size, other, 0, other.length);
        }

        FilePath toFilePath() {
            return new FilePath(toString());
        }

        /** Checks the components from the one with the end of the prefix; those before it have been checked. */
        private void checkComponents(int prefix) throws CorruptBlobException {
            if (size < 2 || bytes[0] != '/') {
                throw in.corrupt("path '%s' is not absolute or is the root".formatted(this));
            }
            int start = Math.max(1, prefix);
            // Three bytes without a slash make a component that is neither "." nor "..", whatever follows.
            while (start > 1 && start > prefix - 3 && bytes[start - 1] != '/') {
                start--;
            }
            for (int i = Math.max(1, prefix); i <= size; i++) {
                byte b = i == size ? (byte) '/' : bytes[i];
                if (b == 0) {
                    throw in.corrupt("a path contains NUL");
                }
                if (b == '/') {
                    int length = i - start;
                    if (length == 0 || (length <= 2 && bytes[start] == '.' && bytes[i - 1] == '.')) {
                        throw in.corrupt("path '%s' has an empty, '.' or '..' component".formatted(this));
                    }
                    start = i + 1;
                }
            }
        }

        @Override
        public String toString() {
            return new String(bytes, 0, size, StandardCharsets.UTF_8);
        }
    }
}
