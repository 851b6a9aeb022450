// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.ScanProblem;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.LoneVersion;
import io.packing.bdt.master.table.row.QuotaCount;
import io.packing.bdt.master.table.row.QuotaRow;
import io.packing.bdt.master.table.row.QuotaUse;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Finds rows of a table that contradict other rows. Confined to one thread. */
final class ScanChecks {
    private static final int MOST_LEVELS = 1 << 20;

    private final Rows rows;
    private final Namespace namespace;
    private final LayerChecks layers;
    /** Entries of one directory come one after the other. */
    private Parent parent = new Parent(0, Optional.empty(), false);

    ScanChecks(Rows rows, Namespace namespace) {
        this.rows = rows;
        this.namespace = namespace;
        this.layers = new LayerChecks(rows, this::map);
    }

    /**
     * A directory that has entries.
     *
     * @param path empty: it is in no directory
     * @param removed whether it, or one above it, was removed and is being cleaned up
     */
    record Parent(long id, Optional<FilePath> path, boolean removed) {}

    /** The directory of an entry. */
    Parent parent(long id) throws IOException {
        if (parent.id() != id) {
            parent = find(id);
        }
        return parent;
    }

    private Parent find(long id) throws IOException {
        if (id == Inode.ROOT_ID || id == 0) {
            return new Parent(id, Optional.of(FilePath.ROOT), false);
        }
        if (id == HiddenDirectories.FILES) {
            return new Parent(id, Optional.of(HiddenDirectories.FILES_PATH), false);
        }
        if (HiddenDirectories.isHidden(id)) {
            return new Parent(id, Optional.empty(), areTwinsKept(id));
        }
        long top = id;
        for (int level = 0; level < MOST_LEVELS; level++) {
            Optional<EntryLink> up = namespace.link(top);
            if (up.isEmpty()) {
                boolean removed = rows.get(Keys.numbered(Keys.REAP, top)).isPresent();
                return new Parent(id, Optional.empty(), removed);
            }
            top = up.get().parent();
            if (top == Inode.ROOT_ID) {
                return new Parent(id, namespace.pathOf(namespace.link(id).orElse(up.get())), false);
            }
        }
        return new Parent(id, Optional.empty(), false);
    }

    /** Returns whether the clone of the twin rows in a directory is known, or the directory is being cleaned up. */
    private boolean areTwinsKept(long directory) throws IOException {
        long clone = HiddenDirectories.cloneOf(directory);
        return rows.get(Keys.numbered(Keys.MEMBERS, clone)).isPresent()
                || rows.get(Keys.numbered(Keys.REAP, directory)).isPresent();
    }

    /** Returns the path of an entry, for messages. */
    String path(byte[] entryKey) throws IOException {
        return parent(Keys.number(entryKey))
                .path()
                .map(directory -> (directory.isRoot() ? "" : directory.value()) + "/" + Keys.entryName(entryKey))
                .orElse("");
    }

    Optional<ScanProblem> blob(long number, BlobRow blob) throws IOException {
        boolean named = rows.get(Keys.named(Keys.BLOB_NUMBER, blob.name().toString()))
                .filter(row -> new Bytes.In(row).number() == number)
                .isPresent();
        return named
                ? Optional.empty()
                : Optional.of(new ScanProblem(
                        "row", "", "blob %s is number %d, and not by its name".formatted(blob.name(), number)));
    }

    Optional<ScanProblem> entry(Parent directory, String name, Inode inode) throws IOException {
        if (HiddenDirectories.isHidden(directory.id())
                && directory.removed()
                && inode.place() instanceof Inode.Linked own) {
            return link(own, "");
        }
        if (directory.path().isEmpty()) {
            // Looked up anew: it may just have been removed.
            parent = find(directory.id());
            return parent.path().isPresent() || parent.removed()
                    ? Optional.empty()
                    : Optional.of(new ScanProblem(
                            "orphaned",
                            "",
                            "'%s' is in directory %d, which is in no directory".formatted(name, directory.id())));
        }
        if (inode.isDirectory()) {
            return Optional.empty();
        }
        FilePath path = directory.path().get().child(name);
        if (inode.place() instanceof Inode.Linked linked) {
            return link(linked, path.value());
        }
        if (inode.place() instanceof Inode.Packed packed) {
            return hole(packed, 0, inode.attributes().length())
                    .map(at ->
                            new ScanProblem("hole", path.value(), "its bytes from %d on are in no blob".formatted(at)));
        }
        if (inode.place() instanceof Inode.Fragmented fragmented) {
            return layers.file(path.value(), inode.id(), fragmented);
        }
        return inode.place() instanceof Inode.Mapped mapped ? map(path.value(), mapped.map()) : Optional.empty();
    }

    private Optional<ScanProblem> link(Inode.Linked linked, String path) throws IOException {
        EntryLink file = HiddenDirectories.file(linked.file());
        return namespace.entry(file.parent(), file.name()).isPresent()
                ? Optional.empty()
                : Optional.of(new ScanProblem(
                        "link", path, "it is a name of file %d, which is not there".formatted(linked.file())));
    }

    /** Compares the count of a quota with the entries that it counts; one that is being counted is passed over. */
    Optional<ScanProblem> quota(long id, QuotaRow row) throws IOException {
        Optional<Inode> directory = QuotaCounting.directory(namespace, id);
        if (directory.isEmpty()) {
            return Optional.of(
                    new ScanProblem("quota", "", "a quota is of directory %d, which is nowhere".formatted(id)));
        }
        if (QuotaCount.all(rows).stream().anyMatch(each -> each.directory() == id)) {
            return Optional.empty();
        }
        QuotaUse has = QuotaCounting.use(rows, namespace, directory.get());
        return has.equals(row.use())
                ? Optional.empty()
                : Optional.of(new ScanProblem(
                        "quota",
                        new EffectiveQuotas(rows, namespace).path(id),
                        "its quota counts %d names and %d bytes, and it has %d and %d: packing fsck --repair counts anew"
                                .formatted(row.use().names(), row.use().bytes(), has.names(), has.bytes())));
    }

    /** Checks a row of the past. */
    Optional<ScanProblem> past(byte[] key, byte[] value) throws IOException {
        Optional<Inode> was = value.length == 0 ? Optional.empty() : Optional.of(Inode.decode(value));
        Optional<ScanProblem> problem = Optional.empty();
        if (was.isPresent() && LoneVersion.isLone(was.get())) {
            problem = alone(key, was.get());
        } else if (was.isPresent() && was.get().place() instanceof Inode.Mapped mapped) {
            problem = map("", mapped.map());
        } else if (was.isPresent() && was.get().place() instanceof Inode.Fragmented fragmented) {
            problem = layers.past(was.get().id(), Keys.pastPosition(key), fragmented);
        }
        return problem.isEmpty()
                ? problem
                : Optional.of(new ScanProblem(
                        problem.get().kind(),
                        path(Keys.entryOfPast(key)),
                        "as a snapshot has it: " + problem.get().message()));
    }

    /** Checks a file of which only a row of the past has the bytes. */
    private Optional<ScanProblem> alone(byte[] key, Inode was) throws IOException {
        boolean isFound = LoneVersion.find(rows, was.id())
                .filter(found -> Arrays.equals(found.at().key(), key))
                .isPresent();
        if (!isFound) {
            return Optional.of(
                    new ScanProblem("content", "", "version %s is not found by its id".formatted(was.version())));
        }
        return was.place() instanceof Inode.Packed packed
                ? hole(packed, 0, was.attributes().length())
                        .map(at -> new ScanProblem("content", "", "its bytes from %d on are in no blob".formatted(at)))
                : Optional.empty();
    }

    private Optional<ScanProblem> map(String path, ReferenceMap map) throws IOException {
        for (ReferenceMap.Reference each : map.references()) {
            Optional<Content> content = Content.find(rows, each.content());
            Optional<String> wrong = content.isEmpty()
                    ? Optional.of("it has bytes of content %d, which is not there".formatted(each.content()))
                    : wrong(content.get(), each);
            if (wrong.isPresent()) {
                return Optional.of(new ScanProblem("content", path, wrong.get()));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> wrong(Content content, ReferenceMap.Reference reference) {
        long end = reference.contentOffset() + reference.length();
        if (end > content.length()) {
            return Optional.of("it has bytes up to %d of content %s, which has %d"
                    .formatted(end, content.version(), content.length()));
        }
        return content.place() instanceof Inode.Packed packed
                ? hole(packed, reference.contentOffset(), end)
                        .map(at -> "bytes of content %s from %d on are in no blob".formatted(content.version(), at))
                : Optional.empty();
    }

    /** The first byte of a range that no extent has. */
    private static Optional<Long> hole(Inode.Packed packed, long from, long to) {
        long at = from;
        List<Inode.StoredExtent> extents = packed.extents();
        for (Inode.StoredExtent stored : extents) {
            Extent extent = stored.extent();
            if (extent.fileOffset() > at) {
                break;
            }
            at = Math.max(at, extent.fileEnd());
        }
        return at < to ? Optional.of(at) : Optional.empty();
    }
}
