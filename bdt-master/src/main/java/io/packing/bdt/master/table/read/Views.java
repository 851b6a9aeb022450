// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.bdt.master.table.row.TraversedClone;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The content of directories, at present or at a snapshot: without an entry of its own, a clone shows its origin's (RFC 0001). */
public final class Views {
    private final Rows rows;
    private final PastEntries past;

    Views(Rows rows, PastEntries past) {
        this.rows = rows;
        this.past = past;
    }

    public Optional<View.Seen> entry(View in, String name) throws IOException {
        Optional<View.Seen> own = own(in, name);
        return own.isPresent() ? own : inherited(in, name);
    }

    private Optional<View.Seen> own(View in, String name) throws IOException {
        EntryLink at = new EntryLink(in.directory(), name);
        Optional<Inode> inode = in.snapshot().isPresent()
                ? past.entry(at, in.snapshot().get())
                : rows.get(Keys.entry(in.directory(), name)).map(Inode::decode);
        return inode.map(each -> new View.Seen(each, in.directory(), in.snapshot(), in.passages()));
    }

    /**
     * The file that an entry is a name of; any other entry is what it is. A file that is missing is lost. A clone that it is seen through may
     * have a file of its own in its place.
     */
    public View.Seen follow(View.Seen name) throws IOException {
        Inode entry = name.inode();
        if (!(entry.place() instanceof Inode.Linked linked)) {
            return name;
        }
        long file = linked.file();
        Optional<Snapshot> snapshot = name.snapshot();
        int passed = 0;
        List<TraversedClone> passages = name.passages();
        for (int i = 0; i < passages.size(); i++) {
            TraversedClone each = passages.get(i);
            Optional<Inode> twin =
                    entry(HiddenDirectories.twin(each.cloneId(), file, passages.subList(passed, i)), Snapshot.of(each));
            if (twin.isPresent() && twin.get().place() instanceof Inode.Linked own) {
                file = own.file();
                snapshot = Snapshot.of(each);
                passed = i + 1;
            }
        }
        Inode inode = entry(HiddenDirectories.file(file), snapshot)
                .orElse(new Inode(file, entry.generation(), entry.attributes(), new Inode.Missing()));
        return new View.Seen(inode, HiddenDirectories.FILES, snapshot, passages.subList(passed, passages.size()));
    }

    private Optional<Inode> entry(EntryLink at, Optional<Snapshot> snapshot) throws IOException {
        return snapshot.isPresent()
                ? past.entry(at, snapshot.get())
                : rows.get(Keys.entry(at.parent(), at.name())).map(Inode::decode);
    }

    /** Finds the entry that the origin has under a name. The directory has no entry of that name itself. */
    public Optional<View.Seen> inherited(View in, String name) throws IOException {
        View at = in;
        while (at.origin().isPresent() && !isGone(at, name)) {
            at = at.behind();
            Optional<View.Seen> found = own(at, name);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Returns whether the origin is not searched for a name any more. */
    public boolean isGone(View in, String name) throws IOException {
        return rows.get(Keys.gone(in.directory(), name))
                .filter(row -> in.isGone(new Bytes.In(row).number()))
                .isPresent();
    }

    /**
     * The entries of a directory in order of their names, each as the file that it is.
     *
     * @param startAfter a name; empty: from the first
     */
    public List<PastEntries.Named> list(View in, String startAfter, int limit) throws IOException {
        List<PastEntries.Named> own = followed(
                in.snapshot().isPresent()
                        ? past.list(in.directory(), in.snapshot().get(), startAfter, limit)
                        : present(in.directory(), startAfter, limit),
                in);
        if (in.origin().isEmpty()) {
            return own;
        }
        Set<String> shadowed = new HashSet<>();
        own.forEach(each -> shadowed.add(each.name()));
        List<PastEntries.Named> all = new ArrayList<>(own);
        String after = startAfter;
        for (boolean more = true; more && all.size() - own.size() < limit; ) {
            List<PastEntries.Named> page = list(in.behind(), after, limit);
            more = page.size() == limit;
            if (!page.isEmpty()) {
                String last = page.get(page.size() - 1).name();
                Set<String> gone = gone(in, after, last);
                page.stream()
                        .filter(each -> !shadowed.contains(each.name()) && !gone.contains(each.name()))
                        .forEach(all::add);
                after = last;
            }
        }
        return all.stream().sorted(PastEntries.BY_NAME).limit(limit).toList();
    }

    private List<PastEntries.Named> followed(List<PastEntries.Named> page, View in) throws IOException {
        boolean arePlain = in.snapshot().isEmpty()
                && page.stream().noneMatch(each -> each.inode().place() instanceof Inode.Linked);
        if (arePlain) {
            return page;
        }
        List<PastEntries.Named> files = new ArrayList<>(page.size());
        for (PastEntries.Named each : page) {
            View.Seen file = follow(new View.Seen(each.inode(), in.directory(), in.snapshot(), in.passages()));
            files.add(new PastEntries.Named(each.name(), file.inode(), file.shown()));
        }
        return files;
    }

    private List<PastEntries.Named> present(long directory, String startAfter, int limit) throws IOException {
        List<PastEntries.Named> page = new ArrayList<>(Math.min(limit, 1000));
        byte[] from = startAfter.isEmpty() ? Keys.entries(directory) : Keys.after(Keys.entry(directory, startAfter));
        rows.scan(from, Keys.entriesEnd(directory), (key, value) -> {
            String name = Keys.entryName(key);
            if (directory != Inode.ROOT_ID || !name.equals(FilePath.RESERVED.name())) {
                page.add(new PastEntries.Named(name, Inode.decode(value)));
            }
            return page.size() < limit;
        });
        return page;
    }

    private Set<String> gone(View in, String after, String last) throws IOException {
        Set<String> gone = new HashSet<>();
        rows.scan(
                Keys.after(Keys.gone(in.directory(), after)),
                Keys.after(Keys.gone(in.directory(), last)),
                (key, value) -> {
                    if (in.isGone(new Bytes.In(value).number())) {
                        gone.add(Keys.entryName(key));
                    }
                    return true;
                });
        return gone;
    }
}
