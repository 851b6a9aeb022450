package io.packing.layers.tree;

import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.fuse.Mode;
import io.packing.registry.dedup.LayerTar;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the entries of a layer's tar (OCI image specification 1.1, layer.md). Confined to one thread. */
final class LayerParser {
    private static final Logger LOG = LoggerFactory.getLogger(LayerParser.class);
    private static final String EXTENDED = "SCHILY.xattr.";
    /** What a tar has no hash of is smaller. */
    private static final int MOST_INLINE = 1 << 20;
    /** Of one entry, as the table has it. */
    private static final int MOST_EXTENDED = 128 << 10;

    private static final int MINOR_BITS = 20;
    private static final int MAJOR_BITS = 12;
    private static final long LARGEST_ID = 0xffff_fffeL;

    private final LayerTar tar;
    private final TarArchiveInputStream in;
    private final LayerEntries entries = new LayerEntries();

    private LayerParser(LayerTar tar) {
        this.tar = tar;
        this.in = new TarArchiveInputStream(tar, StandardCharsets.UTF_8.name());
    }

    /** Reads all entries; whoever opened the stream closes it. */
    static LayerEntries parse(LayerTar tar) throws IOException {
        return new LayerParser(tar).run();
    }

    private LayerEntries run() throws IOException {
        try {
            for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                add(entry);
            }
            return entries;
        } catch (IllegalArgumentException e) {
            throw new LayerException("an entry that cannot be read: " + e.getMessage());
        }
    }

    private void add(TarArchiveEntry entry) throws IOException {
        String path = LayerEntries.path(entry.getName());
        if (entry.isLink()) {
            entries.link(path, LayerEntries.path(entry.getLinkName()));
        } else if (entry.isDirectory()) {
            entries.add(path, of(entry, Mode.DIRECTORY, EntryBody.NONE));
        } else if (entry.isSymbolicLink()) {
            entries.add(path, of(entry, Mode.SYMLINK, text(entry.getLinkName())));
        } else if (entry.isCharacterDevice()) {
            entries.add(path, of(entry, Mode.CHARACTER_DEVICE, device(entry)));
        } else if (entry.isBlockDevice()) {
            entries.add(path, of(entry, Mode.BLOCK_DEVICE, device(entry)));
        } else if (entry.isFIFO()) {
            entries.add(path, of(entry, Mode.FIFO, EntryBody.NONE));
        } else if (entry.isSparse()) {
            throw new LayerException("the entry '%.200s' is sparse, which layers of images are not".formatted(path));
        } else if (entry.isFile()) {
            entries.add(path, of(entry, Mode.REGULAR, body(entry)));
        } else {
            LOG.warn("an entry '{}' of a type that layers do not have is left out", path);
        }
    }

    private EntryBody body(TarArchiveEntry entry) throws IOException {
        long size = entry.getSize();
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

    private static EntryBody text(String target) throws LayerException {
        if (target.isEmpty() || target.indexOf('\ufffd') >= 0) {
            throw new LayerException("a symbolic link to '%.200s', which is no UTF-8 text".formatted(target));
        }
        return new EntryBody.Inline(target.getBytes(StandardCharsets.UTF_8));
    }

    /** The number as the kernel packs it: 12 bits of the minor number on top, the major number, 8 bits of the minor number. */
    private static EntryBody device(TarArchiveEntry entry) throws LayerException {
        int major = entry.getDevMajor();
        int minor = entry.getDevMinor();
        if (major < 0 || major >> MAJOR_BITS != 0 || minor < 0 || minor >> MINOR_BITS != 0) {
            throw new LayerException("a device %d:%d".formatted(major, minor));
        }
        int packed = (minor & 0xff) | (major << 8) | ((minor & ~0xff) << 12);
        return new EntryBody.Inline(Integer.toUnsignedString(packed).getBytes(StandardCharsets.US_ASCII));
    }

    private static LayerEntry of(TarArchiveEntry entry, int type, EntryBody body) throws LayerException {
        long user = entry.getLongUserId();
        long group = entry.getLongGroupId();
        if (user < 0 || user > LARGEST_ID || group < 0 || group > LARGEST_ID) {
            throw new LayerException("'%.200s' is of user %d and group %d".formatted(entry.getName(), user, group));
        }
        return new LayerEntry(
                type | (entry.getMode() & Mode.PERMISSIONS),
                user,
                group,
                time(entry.getLastModifiedTime()),
                body,
                extended(entry));
    }

    /** One that is beyond what the table can have becomes the last that it can. */
    private static Instant time(FileTime time) {
        long millis = time.toMillis();
        boolean beyond = millis == Long.MAX_VALUE || millis == Long.MIN_VALUE;
        return beyond ? Instant.ofEpochMilli(millis) : time.toInstant();
    }

    private static Map<String, ExtendedValue> extended(TarArchiveEntry entry) {
        Map<String, ExtendedValue> all = new HashMap<>();
        int left = MOST_EXTENDED;
        for (Map.Entry<String, String> each : entry.getExtraPaxHeaders().entrySet()) {
            if (!each.getKey().startsWith(EXTENDED)) {
                continue;
            }
            String name = each.getKey().substring(EXTENDED.length());
            byte[] value = each.getValue().getBytes(StandardCharsets.UTF_8);
            int length = name.getBytes(StandardCharsets.UTF_8).length;
            if (each.getValue().indexOf('\ufffd') >= 0) {
                // The library has made text of the value.
                LOG.warn("'{}': the value of {} is no UTF-8, and is left out", entry.getName(), name);
            } else if (length == 0
                    || length > ExtendedChange.MOST_NAME_BYTES
                    || name.indexOf('\0') >= 0
                    || value.length > ExtendedValue.MOST_BYTES
                    || length + value.length > left) {
                LOG.warn("'{}': the attribute {} is more than a file can have, and is left out", entry.getName(), name);
            } else {
                all.put(name, new ExtendedValue(value));
                left -= length + value.length;
            }
        }
        return all;
    }
}
