// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.tree;

import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.fuse.Mode;
import io.packing.registry.dedup.LayerTar;
import io.packing.registry.tar.NotATarException;
import io.packing.registry.tar.TarEntry;
import io.packing.registry.tar.TarReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the entries of a layer's tar (OCI image specification 1.1, layer.md). An entry that a tree cannot show as it is ends it with a
 * {@link LayerException} that has its name and the reason. Confined to one thread.
 */
final class LayerParser implements TarReader.Parts {
    /** Bytes of an entry that stand in the recipe itself, at most. */
    private static final int MOST_INLINE = 1 << 20;
    /** Bytes of the attributes of one entry, as the table has it. */
    private static final int MOST_EXTENDED = 128 << 10;

    private static final int MINOR_BITS = 20;
    private static final int MAJOR_BITS = 12;
    /** The kernel has no owner of the number behind it. */
    private static final long LARGEST_ID = 0xffff_fffeL;
    /** Linux shows this mode of every symbolic link. */
    private static final int SYMLINK_MODE = 0777;

    private static final String COMMENT = "comment";

    private final LayerTar tar;
    private final LayerEntries entries = new LayerEntries();

    private LayerParser(LayerTar tar) {
        this.tar = tar;
    }

    /** Reads all entries; the caller closes the stream. */
    static LayerEntries parse(LayerTar tar) throws IOException {
        LayerParser parser = new LayerParser(tar);
        TarReader.read(tar, parser);
        return parser.entries;
    }

    @Override
    public void head(byte[] bytes, int offset, int length) {
        // The entries have these values.
    }

    @Override
    public void global(Iterable<String> keys) throws LayerException {
        for (String key : keys) {
            if (!key.equals(COMMENT)) {
                throw new LayerException(
                        "records about all entries with '%.200s': engines do not read them".formatted(key));
            }
        }
    }

    @Override
    public void entry(TarEntry entry, InputStream bytes) throws IOException {
        String name = TarEntry.shown(entry.name());
        try {
            add(entry, bytes);
        } catch (NotATarException e) {
            throw new LayerException("'%s' has %s".formatted(name, e.getMessage()));
        }
    }

    private void add(TarEntry entry, InputStream bytes) throws IOException {
        String path = LayerEntries.path(entry.name());
        if (LayerEntries.isMark(path)) {
            entries.add(path, LayerEntry.WHITEOUT);
            return;
        }
        if (entry.isSparse()) {
            throw new LayerException("the entry '%.200s' is sparse, which layers of images are not".formatted(path));
        }
        switch (entry.type()) {
            case '0', '7' -> entries.add(path, of(path, entry, Mode.REGULAR, body(entry, bytes)));
            case '1' -> entries.link(path, LayerEntries.path(entry.link()));
            case '2' -> entries.add(path, of(path, entry, Mode.SYMLINK, target(path, entry.link())));
            case '3' -> entries.add(path, of(path, entry, Mode.CHARACTER_DEVICE, device(path, entry)));
            case '4' -> entries.add(path, of(path, entry, Mode.BLOCK_DEVICE, device(path, entry)));
            case '5' -> entries.add(path, of(path, entry, Mode.DIRECTORY, EntryBody.NONE));
            case '6' -> entries.add(path, of(path, entry, Mode.FIFO, EntryBody.NONE));
            default ->
                throw new LayerException("the entry '%.200s' is of type '%s', which layers do not have"
                        .formatted(path, TarEntry.shown(new byte[] {(byte) entry.type()})));
        }
    }

    private EntryBody body(TarEntry entry, InputStream in) throws IOException {
        long size = entry.size();
        Optional<String> hex = tar.content(size);
        if (hex.isPresent()) {
            return new EntryBody.Shared(hex.get());
        }
        if (size > MOST_INLINE) {
            throw new LayerException("an entry of %,d bytes that are not stored by their hash".formatted(size));
        }
        byte[] bytes = in.readNBytes((int) size);
        if (bytes.length < size) {
            throw new EOFException("an entry of %,d bytes ended early".formatted(size));
        }
        return new EntryBody.Inline(bytes);
    }

    private static EntryBody target(String path, byte[] target) throws LayerException {
        if (target.length == 0 || target.length >= LayerEntries.MOST_PATH) {
            throw new LayerException("'%.200s' is a symbolic link to a target of %,d bytes, and Linux has 1 to %,d"
                    .formatted(path, target.length, LayerEntries.MOST_PATH - 1));
        }
        return new EntryBody.Inline(target);
    }

    /**
     * Returns the number as the kernel packs it: 12 bits of the minor number on top, the major number, 8 bits of the
     * minor number.
     */
    private static EntryBody device(String path, TarEntry entry) throws IOException {
        long major = entry.major();
        long minor = entry.minor();
        if (major < 0 || major >> MAJOR_BITS != 0 || minor < 0 || minor >> MINOR_BITS != 0) {
            throw new LayerException("'%.200s' is a device %d:%d".formatted(path, major, minor));
        }
        if (entry.type() == '3' && major == 0 && minor == 0) {
            throw new LayerException(
                    "'%.200s' is a character device 0:0, which overlays take for a whiteout".formatted(path));
        }
        int packed = (int) ((minor & 0xff) | (major << 8) | ((minor & ~0xffL) << 12));
        return new EntryBody.Inline(Integer.toUnsignedString(packed).getBytes(StandardCharsets.US_ASCII));
    }

    private static LayerEntry of(String path, TarEntry entry, int type, EntryBody body) throws IOException {
        long user = entry.user();
        long group = entry.group();
        if (user < 0 || user > LARGEST_ID || group < 0 || group > LARGEST_ID) {
            throw new LayerException("'%.200s' is of user %d and group %d, and Linux has 0 to %d"
                    .formatted(path, user, group, LARGEST_ID));
        }
        int permissions = type == Mode.SYMLINK ? SYMLINK_MODE : (int) (entry.mode() & Mode.PERMISSIONS);
        return new LayerEntry(type | permissions, user, group, entry.modified(), body, extended(path, entry));
    }

    private static Map<String, ExtendedValue> extended(String path, TarEntry entry) throws LayerException {
        Map<String, ExtendedValue> all = new HashMap<>();
        int left = MOST_EXTENDED;
        for (Map.Entry<String, byte[]> each : entry.attributes().entrySet()) {
            byte[] name = each.getKey().getBytes(StandardCharsets.ISO_8859_1);
            byte[] value = each.getValue();
            String text = TarEntry.text(name)
                    .orElseThrow(() -> new LayerException("'%.200s' has an attribute '%s', and a name is UTF-8 text"
                            .formatted(path, TarEntry.shown(name))));
            left -= name.length + value.length;
            if (name.length == 0
                    || name.length > ExtendedChange.MOST_NAME_BYTES
                    || value.length > ExtendedValue.MOST_BYTES
                    || left < 0) {
                throw new LayerException(
                        "'%.200s' has an attribute '%.255s' of %,d bytes, which is more than a file can have"
                                .formatted(path, text, value.length));
            }
            if (text.startsWith(ExtendedAttributes.OVERLAY)) {
                throw new LayerException("'%.200s' has an attribute '%.255s', and those are of overlays themselves"
                        .formatted(path, text));
            }
            all.put(text, new ExtendedValue(value));
        }
        return all;
    }
}
