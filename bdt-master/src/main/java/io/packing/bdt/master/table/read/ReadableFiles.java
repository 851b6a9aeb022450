// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.AccessMode;
import io.packing.bdt.DeniedException;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.MapChain;
import io.packing.bdt.master.table.row.MapLayer;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.Referrer;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Files that a caller asks for by their identity, and not by a path. The answer has those that the caller may read where they are
 * now and could find there: the caller owns the file, may list its directory, or knows its path. For any other one the answer is as if there were
 * none, since a refusal would name a path, and identities are numbers that follow each other.
 *
 * @param known a path that the caller names
 */
record ReadableFiles(Namespace names, Permissions permissions, FilePath known) {
    /** Shared bytes of more files are taken for bytes that the caller may not read. */
    private static final int MOST_LOOKED_AT = 16;

    /** Returns where a file version is, if it is there and the caller may read it. */
    Optional<FilePath> pathOf(FileVersion version) throws IOException {
        Optional<Namespace.Entry> file = names.file(version);
        return file.isEmpty() ? Optional.empty() : pathOf(file.get());
    }

    private Optional<FilePath> pathOf(Namespace.Entry file) throws IOException {
        boolean hasSeveral = file.link().parent() == HiddenDirectories.FILES;
        Optional<FilePath> path = hasSeveral ? Optional.empty() : names.pathOf(file.link());
        if (path.isEmpty()) {
            // Which of several names leads the caller there is not known.
            return Optional.empty();
        }
        try {
            permissions.search(names, path.get());
            permissions.need(path.get(), file.inode().attributes(), AccessMode.READ);
            find(path.get(), file.inode());
            return path;
        } catch (DeniedException e) {
            return Optional.empty();
        }
    }

    /** Refuses a caller who could not come by the path of a file. */
    private void find(FilePath path, Inode file) throws IOException {
        if (!path.equals(known) && !permissions.owns(file.attributes())) {
            permissions.need(names, path.parent().orElseThrow(), AccessMode.READ);
        }
    }

    /** Returns whether the caller may read all bytes of a version, as a file of its own or in files that share them. */
    boolean has(Rows rows, FileVersion version) throws IOException {
        if (!permissions.isChecked()) {
            return true;
        }
        Optional<Content> content = names.content(version);
        if (content.isEmpty()) {
            return pathOf(version).isPresent();
        }
        for (Referrer each : Referrer.all(rows, version.id(), MOST_LOOKED_AT)) {
            for (long id : files(rows, each)) {
                Optional<Namespace.Entry> file = names.linked(id);
                if (file.isPresent()
                        && hasAll(rows, file.get(), content.get())
                        && pathOf(file.get()).isPresent()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns files of the present that may have bytes of a referrer. */
    private static List<Long> files(Rows rows, Referrer referrer) throws IOException {
        if (referrer.past().isPresent()) {
            return List.of();
        }
        return referrer.part().isEmpty()
                ? List.of(referrer.inode())
                : MapLayer.tops(rows, referrer.inode(), MOST_LOOKED_AT).stream()
                        .map(MapLayer.Top::file)
                        .toList();
    }

    /** Returns whether a file has a whole content: of one that has a part its readers may not know the rest. */
    private static boolean hasAll(Rows rows, Namespace.Entry file, Content content) throws IOException {
        List<ReferenceMap.Reference> references = List.of();
        if (file.inode().place() instanceof Inode.Mapped mapped) {
            references = mapped.map().references();
        } else if (file.inode().place() instanceof Inode.Fragmented) {
            references = MapChain.of(rows, file.inode()).of(rows, content.id());
        }
        return references.stream()
                .anyMatch(each -> each.content() == content.id() && each.length() == content.length());
    }
}
