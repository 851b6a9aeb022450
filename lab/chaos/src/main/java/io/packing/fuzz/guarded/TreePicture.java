// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingInput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A superuser's view of a tree: names, versions, attributes, quotas, snapshots and bytes, by path. */
record TreePicture(Map<String, String> entries) {
    private static final int PAGE = 1_000;

    /** Takes a picture of the tree without some subtrees. */
    static TreePicture of(RemotePackingFileSystem mount, Set<FilePath> without) throws IOException {
        Map<String, String> entries = new TreeMap<>();
        look(mount, FilePath.ROOT, without, entries);
        return new TreePicture(entries);
    }

    private static void look(
            RemotePackingFileSystem mount, FilePath path, Set<FilePath> without, Map<String, String> entries)
            throws IOException {
        Optional<FileStatus> status = mount.bdt().stat(path);
        if (status.isEmpty()) {
            return;
        }
        FileStatus there = status.get();
        entries.put(path.value(), shown(mount, path, there));
        if (!there.isDirectory()) {
            return;
        }
        for (FilePath each : names(mount.bdt(), path)) {
            if (!without.contains(each)) {
                look(mount, each, without, entries);
            }
        }
        if (!path.isPast()) {
            for (FilePath each : names(mount.bdt(), path.child(FilePath.SNAPSHOTS))) {
                look(mount, each, without, entries);
            }
        }
    }

    private static List<FilePath> names(Bdt bdt, FilePath directory) throws IOException {
        List<FilePath> names = new ArrayList<>();
        String after = "";
        while (true) {
            List<FileStatus> page = bdt.list(directory, after, PAGE).orElse(List.of());
            if (page.isEmpty()) {
                return names;
            }
            page.forEach(entry -> names.add(entry.path()));
            after = page.get(page.size() - 1).path().name();
        }
    }

    private static String shown(RemotePackingFileSystem mount, FilePath path, FileStatus there) throws IOException {
        Bdt bdt = mount.bdt();
        String attributes = "%s %s %s".formatted(there.version(), there.attributes(), bdt.extended(path));
        // A user with search permission on the directory may link a file in it, which changes the file's status.
        boolean linkable = !path.value().startsWith(HonestTree.CLOSED.value());
        String extras = linkable ? "" : there.extras() + (there.isInherited() ? " inherited" : "");
        if (there.isDirectory()) {
            return "%s %s quota %s".formatted(attributes, extras, path.isPast() ? Optional.empty() : bdt.quota(path));
        }
        return "%s %s bytes %s".formatted(attributes, extras, digest(mount, path));
    }

    /** Returns a hash of a file's bytes, or the reason of a failed read. */
    private static String digest(RemotePackingFileSystem mount, FilePath path) throws IOException {
        try (PackingInput in = mount.open(path)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            ByteBuffer bytes = ByteBuffer.allocate(64 << 10);
            long at = 0;
            for (int read = in.read(at, bytes); read > 0; read = in.read(at, bytes)) {
                at += read;
                digest.update(bytes.flip());
                bytes.clear();
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the differences of a later picture. */
    List<String> changes(TreePicture later) {
        List<String> changes = new ArrayList<>();
        Set<String> paths = new TreeSet<>(entries.keySet());
        paths.addAll(later.entries.keySet());
        for (String path : paths) {
            String before = entries.getOrDefault(path, "nothing");
            String after = later.entries.getOrDefault(path, "nothing");
            if (!before.equals(after)) {
                changes.add("'%s' was [%s] and is [%s]".formatted(path, before, after));
            }
        }
        return changes;
    }
}
