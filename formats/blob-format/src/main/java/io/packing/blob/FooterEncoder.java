// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The encoder of a list of files into an inflated footer (blob-format.md, section 3). */
final class FooterEncoder {
    /** A file with its path as the footer has it: the sort of many files compares nothing but these bytes. */
    private static final class Entry {
        private final byte[] path;
        private final PackedFile file;

        Entry(PackedFile file) {
            this.path = file.path().value().getBytes(StandardCharsets.UTF_8);
            this.file = file;
        }

        static int order(Entry one, Entry other) {
            int order = Arrays.compareUnsigned(one.path, other.path);
            if (order != 0) {
                return order;
            }
            FileVersion version = one.file.version();
            FileVersion otherVersion = other.file.version();
            order = Long.compare(version.generation(), otherVersion.generation());
            return order == 0 ? Long.compare(version.id(), otherVersion.id()) : order;
        }
    }

    private final FooterOutput out;
    private final Map<String, Integer> names = new HashMap<>();
    private byte[] path = new byte[0];
    private long id;
    private long lag;
    private long mtimeMillis;
    private long blobEnd;

    /** The bytes of the sections between header and body; 0 for a missing one. */
    record Sections(int key, int dictionary) {
        static final Sections NONE = new Sections(0, 0);
    }

    private FooterEncoder(int capacity, int version, Sections sections) {
        out = new FooterOutput(capacity);
        blobEnd = (long) BlobHeader.SIZE + sections.key + sections.dictionary;
        if (version == BlobHeader.VERSION_3) {
            out.varint(sections.key);
        }
        if (version != BlobHeader.VERSION_1) {
            out.varint(sections.dictionary);
        }
    }

    static byte[] encode(List<PackedFile> files, int version, Sections sections) {
        Entry[] sorted = new Entry[files.size()];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = new Entry(files.get(i));
        }
        // All files of a blob wait for this: idle processors take part.
        Arrays.parallelSort(sorted, Entry::order);
        FooterEncoder encoder = new FooterEncoder(64 + 40 * Math.min(files.size(), 1 << 20), version, sections);
        encoder.names(sorted);
        for (Entry entry : sorted) {
            encoder.path(entry.path);
            encoder.file(entry.file);
        }
        return encoder.out.toByteArray();
    }

    private void names(Entry[] sorted) {
        List<String> inOrder = new ArrayList<>();
        for (Entry entry : sorted) {
            FileAttributes attributes = entry.file.attributes();
            for (String name : List.of(attributes.owner(), attributes.group())) {
                if (names.putIfAbsent(name, names.size()) == null) {
                    inOrder.add(name);
                }
            }
        }
        out.varint(inOrder.size());
        for (String name : inOrder) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            out.varint(bytes.length);
            out.raw(bytes, 0, bytes.length);
        }
    }

    private void file(PackedFile file) {
        FileVersion version = file.version();
        out.signed(version.id() - id);
        id = version.id();
        // Ids and generations advance together, so their distance hardly changes from file to file.
        long newLag = version.generation() - version.id();
        out.signed(newLag - lag);
        lag = newLag;
        FileAttributes attributes = file.attributes();
        out.varint(attributes.length());
        out.signed(attributes.mtimeMillis() - mtimeMillis);
        mtimeMillis = attributes.mtimeMillis();
        out.varint(index(attributes.owner()));
        out.varint(index(attributes.group()));
        out.varint(attributes.permissions());
        out.varint(file.extents().size());
        long fileEnd = 0;
        for (Extent extent : file.extents()) {
            out.varint(extent.fileOffset() - fileEnd);
            fileEnd = extent.fileEnd();
            extent(extent);
        }
    }

    private void path(byte[] next) {
        if (next.length > FilePath.MAX_BYTES) {
            throw new IllegalArgumentException("a path of %d bytes in a footer".formatted(next.length));
        }
        int prefix = Arrays.mismatch(path, next);
        if (prefix < 0) {
            prefix = next.length;
        }
        while (prefix > 0 && prefix < next.length && isContinuation(next[prefix])) {
            prefix--;
        }
        out.varint(prefix);
        out.varint(next.length - prefix);
        out.raw(next, prefix, next.length);
        path = next;
    }

    private void extent(Extent extent) {
        out.varint(extent.length());
        out.signed(extent.blobOffset() - blobEnd);
        blobEnd = extent.blobEnd();
        out.octet(extent.codec().number());
        if (extent.codec() != Codec.NONE) {
            out.varint(extent.storedLength());
        }
        out.fixed32(extent.crc32c());
    }

    private int index(String name) {
        Integer index = names.get(name);
        if (index == null) {
            throw new IllegalStateException("name '%s' was not collected".formatted(name));
        }
        return index;
    }

    static boolean isContinuation(byte b) {
        return (b & 0xc0) == 0x80;
    }
}
