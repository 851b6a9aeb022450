// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.bdt.RareAttributes;
import io.packing.bdt.tree.Difference;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.Mode;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.fuse.posix.owner.Owners;
import io.packing.layers.tree.ExtendedAttributes;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import io.packing.registry.tar.TarFields;
import io.packing.registry.tar.TarWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Writes the differences of two trees as a layer (OCI image specification 1.1, layer.md, "Changesets"). Confined to one thread. */
final class ChangeLayer {
    private static final int MOST_LINK = 4096;
    private static final byte[] NONE = {};

    private final BdtLookups bdt;
    private final RegistryFiles files;
    private final Tree trees;
    private final FilePath now;
    private final Owners users;
    private final Owners groups;
    private final TarWriter tar;
    private final Set<FilePath> written = new TreeSet<>();
    private final Set<FilePath> gone = new TreeSet<>();
    /** The name in the layer of a file that has several, by its id. */
    private final Map<Long, String> linked = new HashMap<>();

    /** @param now the later tree */
    ChangeLayer(BdtLookups bdt, RegistryFiles files, Tree trees, FilePath now, OutputStream to) throws IOException {
        this.bdt = bdt;
        this.files = files;
        this.trees = trees;
        this.now = now;
        // A push is short: the number of a name may stay for it.
        this.users = Owners.users(OwnerMap.TREES, () -> 0);
        this.groups = Owners.groups(OwnerMap.TREES, () -> 0);
        this.tar = new TarWriter(to);
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

    /** Writes a whiteout for an entry of the layers below, unless another entry is at the path now. */
    private void whiteout(FilePath path) throws IOException {
        FilePath mark = path.parent().orElseThrow().child(".wh." + path.name());
        boolean aboveIsThere = bdt.stat(at(path.parent().orElseThrow()))
                .filter(FileStatus::isDirectory)
                .isPresent();
        if (aboveIsThere && bdt.stat(at(path)).isEmpty() && !written.contains(mark)) {
            above(mark);
            written.add(mark);
            tar.begin(TarFields.plain('0', utf8(mark.value().substring(1))));
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

    /**
     * Writes the directories above, unless they are written: a program that unpacks the layer would make others in
     * their places.
     */
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
        boolean isRegular = type == 0 || type == Mode.REGULAR;
        int device = type == Mode.CHARACTER_DEVICE || type == Mode.BLOCK_DEVICE ? device(status) : 0;
        tar.begin(new TarFields(
                flag(type),
                utf8(name.isEmpty() ? "./" : name),
                type == Mode.SYMLINK ? bytes(status) : NONE,
                has.permissions(),
                Integer.toUnsignedLong(users.number(has.owner())),
                Integer.toUnsignedLong(groups.number(has.group())),
                RareAttributes.time(has.mtimeMillis(), status.extras().nanos()),
                isRegular ? has.length() : 0,
                (device >>> 8) & 0xfff,
                (device & 0xff) | ((device >>> 12) & 0xfff00),
                status.extras().hasExtended() ? extended(status) : Map.of()));
        if (isRegular && has.length() > 0) {
            try (FileBytes bytes = new FileBytes(files.open(status.path()), 0)) {
                bytes.transferTo(tar);
            }
        }
    }

    /** Writes another name of a file that is in the layer already. */
    private void link(String name, String first) throws IOException {
        tar.begin(TarFields.plain('1', utf8(name), utf8(first)));
    }

    private Map<String, byte[]> extended(FileStatus status) throws IOException {
        Map<String, byte[]> all = new HashMap<>();
        ExtendedAttributes.own(bdt.extended(status.path()).orElse(Map.of()))
                .forEach((name, value) -> all.put(name, value.bytes()));
        return all;
    }

    private int device(FileStatus status) throws IOException {
        String text = new String(bytes(status), StandardCharsets.US_ASCII);
        return text.isEmpty() ? 0 : Integer.parseUnsignedInt(text);
    }

    private byte[] bytes(FileStatus status) throws IOException {
        return FileBytes.all(files.open(status.path()), MOST_LINK);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static char flag(int type) throws IOException {
        return switch (type) {
            case 0, Mode.REGULAR -> '0';
            case Mode.DIRECTORY -> '5';
            case Mode.SYMLINK -> '2';
            case Mode.CHARACTER_DEVICE -> '3';
            case Mode.BLOCK_DEVICE -> '4';
            case Mode.FIFO -> '6';
            default -> throw new IOException("a socket is no part of a layer");
        };
    }
}
