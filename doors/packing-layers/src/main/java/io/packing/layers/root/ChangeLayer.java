package io.packing.layers.root;

import io.packing.bdt.Bdt;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileExtras;
import io.packing.bdt.FileStatus;
import io.packing.bdt.tree.Difference;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.Mode;
import io.packing.layers.tree.ExtendedAttributes;
import io.packing.posix.owner.OwnerMap;
import io.packing.posix.owner.Owners;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the differences of two trees as a layer (OCI image specification 1.1, layer.md, "Changesets"). Confined to one thread. */
final class ChangeLayer {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeLayer.class);
    private static final int MOST_LINK = 4096;
    private static final String EXTENDED = "SCHILY.xattr.";

    private final Bdt bdt;
    private final RegistryFiles files;
    private final Tree trees;
    private final FilePath now;
    private final Owners users;
    private final Owners groups;
    private final TarArchiveOutputStream tar;
    private final Set<FilePath> written = new TreeSet<>();
    private final Set<FilePath> gone = new TreeSet<>();
    /** The name in the layer of a file that has several, by its id. */
    private final Map<Long, String> linked = new HashMap<>();

    /** @param now the later tree */
    ChangeLayer(Bdt bdt, RegistryFiles files, Tree trees, FilePath now, OutputStream to) throws IOException {
        this.bdt = bdt;
        this.files = files;
        this.trees = trees;
        this.now = now;
        // A push is short: what is known of a name stays so.
        this.users = Owners.users(OwnerMap.TREES, () -> 0);
        this.groups = Owners.groups(OwnerMap.TREES, () -> 0);
        this.tar = new TarArchiveOutputStream(to, StandardCharsets.UTF_8.name());
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
        tar.setAddPaxHeadersForNonAsciiNames(true);
    }

    /** Writes the whole layer; returns how many entries it has. */
    long write(List<Difference> differences) throws IOException {
        for (Difference each : differences) {
            switch (each.kind()) {
                case DELETED -> whiteout(each.path());
                case MODIFIED -> one(each.path());
                case CREATED -> all(each.path());
                case RENAMED -> {
                    each.from().ifPresent(gone::add);
                    all(each.path());
                }
            }
        }
        for (FilePath from : gone) {
            whiteout(from);
        }
        tar.finish();
        return written.size();
    }

    private FilePath at(FilePath path) {
        return path.isRoot() ? now : new FilePath(now.value() + path.value());
    }

    /** Says that what the layers below have at a path is gone, unless something else is there now. */
    private void whiteout(FilePath path) throws IOException {
        FilePath mark = path.parent().orElseThrow().child(".wh." + path.name());
        boolean aboveIsThere = bdt.stat(at(path.parent().orElseThrow()))
                .filter(FileStatus::isDirectory)
                .isPresent();
        if (aboveIsThere && bdt.stat(at(path)).isEmpty() && !written.contains(mark)) {
            above(mark);
            written.add(mark);
            tar.putArchiveEntry(new TarArchiveEntry(mark.value().substring(1)));
            tar.closeArchiveEntry();
        }
    }

    private void one(FilePath path) throws IOException {
        FileStatus status = bdt.stat(at(path)).orElseThrow(() -> new IOException(at(path) + " is gone"));
        entry(path, status);
    }

    private void all(FilePath path) throws IOException {
        FileStatus status = bdt.stat(at(path)).orElseThrow(() -> new IOException(at(path) + " is gone"));
        entry(path, status);
        if (status.isDirectory()) {
            below(path);
        }
    }

    private void below(FilePath directory) throws IOException {
        trees.each(at(directory), entry -> {
            FilePath path = directory.child(entry.path().name());
            entry(path, entry);
            if (entry.isDirectory()) {
                below(path);
            }
        });
    }

    /** Writes the directories above, unless they are written: whoever unpacks the layer would make others in their places. */
    private void above(FilePath path) throws IOException {
        FilePath parent = path.parent().orElse(path);
        if (!written.contains(parent)) {
            one(parent);
        }
    }

    private void entry(FilePath path, FileStatus status) throws IOException {
        if (written.contains(path)) {
            return;
        }
        if (!path.isRoot()) {
            above(path);
        }
        written.add(path);
        FileAttributes has = status.attributes();
        int type = status.isDirectory() ? Mode.DIRECTORY : has.mode() & FileAttributes.TYPE;
        String name = path.value().substring(1) + (status.isDirectory() ? "/" : "");
        String first =
                status.extras().isLinked() ? linked.putIfAbsent(status.version().id(), name) : null;
        if (first != null) {
            link(name, first);
            return;
        }
        TarArchiveEntry entry = new TarArchiveEntry(name.isEmpty() ? "./" : name, flag(type));
        entry.setMode(has.permissions());
        entry.setUserId(Integer.toUnsignedLong(users.number(has.owner())));
        entry.setGroupId(Integer.toUnsignedLong(groups.number(has.group())));
        entry.setLastModifiedTime(
                FileTime.from(FileExtras.time(has.mtimeMillis(), status.extras().nanos())));
        boolean isRegular = type == 0 || type == Mode.REGULAR;
        if (type == Mode.SYMLINK) {
            entry.setLinkName(text(status));
        } else if (type == Mode.CHARACTER_DEVICE || type == Mode.BLOCK_DEVICE) {
            String text = text(status);
            int number = text.isEmpty() ? 0 : Integer.parseUnsignedInt(text);
            entry.setDevMajor((number >>> 8) & 0xfff);
            entry.setDevMinor((number & 0xff) | ((number >>> 12) & 0xfff00));
        }
        if (status.extras().hasExtended()) {
            addExtended(path, status, entry);
        }
        entry.setSize(isRegular ? has.length() : 0);
        tar.putArchiveEntry(entry);
        if (isRegular && has.length() > 0) {
            try (FileBytes bytes = new FileBytes(files.open(status.path()), 0)) {
                bytes.transferTo(tar);
            }
        }
        tar.closeArchiveEntry();
    }

    /** Another name of a file that is in the layer already. */
    private void link(String name, String first) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_LINK);
        entry.setLinkName(first);
        tar.putArchiveEntry(entry);
        tar.closeArchiveEntry();
    }

    /** As PAX headers, whose values are text (layer.md, "File Attributes"). */
    private void addExtended(FilePath path, FileStatus status, TarArchiveEntry entry) throws IOException {
        Map<String, ExtendedValue> all = bdt.extended(status.path()).orElse(Map.of());
        for (Map.Entry<String, ExtendedValue> each : ExtendedAttributes.own(all).entrySet()) {
            byte[] value = each.getValue().bytes();
            String text = new String(value, StandardCharsets.UTF_8);
            if (Arrays.equals(text.getBytes(StandardCharsets.UTF_8), value)) {
                entry.addPaxHeader(EXTENDED + each.getKey(), text);
            } else {
                LOG.warn("{}: the value of {} is no UTF-8, and is not pushed", path, each.getKey());
            }
        }
    }

    private String text(FileStatus status) throws IOException {
        return new String(FileBytes.all(files.open(status.path()), MOST_LINK), StandardCharsets.UTF_8);
    }

    private static byte flag(int type) throws IOException {
        return switch (type) {
            case 0, Mode.REGULAR -> TarConstants.LF_NORMAL;
            case Mode.DIRECTORY -> TarConstants.LF_DIR;
            case Mode.SYMLINK -> TarConstants.LF_SYMLINK;
            case Mode.CHARACTER_DEVICE -> TarConstants.LF_CHR;
            case Mode.BLOCK_DEVICE -> TarConstants.LF_BLK;
            case Mode.FIFO -> TarConstants.LF_FIFO;
            default -> throw new IOException("a socket is no part of a layer");
        };
    }
}
