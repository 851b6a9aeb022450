// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Referrer;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.bdt.master.table.row.WaitingVersions;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Answers questions from a mount's rows: what is at a path, where it is, what is in a directory.
 *
 * <p>The directories of a path are looked up through {@code directories}, which may answer from a cache.
 */
public final class Namespace {
    static final Inode ROOT =
            new Inode(Inode.ROOT_ID, 0, new FileAttributes(0, 0, "", "", 0777), new Inode.Directory());

    private final Rows rows;
    private final DirectoryLookup directories;
    private final Placements placements;
    private final PastEntries past;
    private final Views views;

    public Namespace(Rows rows, DirectoryLookup directories, Function<String, Optional<SessionRow>> sessions) {
        this(rows, directories, new Placements(rows, sessions), new PastEntries(rows));
    }

    private Namespace(Rows rows, DirectoryLookup directories, Placements placements, PastEntries past) {
        this.rows = rows;
        this.directories = directories;
        this.placements = placements;
        this.past = past;
        this.views = new Views(rows, past);
    }

    /** Returns this namespace for one question about many paths, whose answer counts only if no row changes meanwhile. */
    Namespace ofOneQuestion() {
        return new Namespace(rows, directories, placements, past.ofOneQuestion());
    }

    /** Finds the entry at a path. A name of a file that has several leads to the file. */
    public ResolvedPath findFile(FilePath path) throws IOException {
        return follow(find(path));
    }

    /** Returns the file to which one of several names leads. Any other entry stays what it is. */
    public ResolvedPath follow(ResolvedPath found) throws IOException {
        if (found.inode().isEmpty() || !(found.inode().get().place() instanceof Inode.Linked)) {
            return found;
        }
        View.Seen file = views.follow(found.seen());
        EntryLink at = HiddenDirectories.file(file.inode().id());
        return new ResolvedPath(
                found.problem(), at.parent(), at.name(), Optional.of(file.inode()), file.snapshot(), file.passages());
    }

    /** The entry at a path, which may be a name of a file that has several. */
    public ResolvedPath find(FilePath path) throws IOException {
        if (path.isRoot()) {
            return new ResolvedPath(Outcome.DONE, 0, "", Optional.of(root()), Optional.empty());
        }
        if (path.isPast()) {
            PastPath intoThePast = PastPath.of(path);
            return intoThePast.find(find(intoThePast.directory()), past, views);
        }
        return find(path, (directory, end) -> {});
    }

    /** Learns of the directories above a path at present, as a walk passes them from the top down. */
    interface Steps {
        /**
         * A directory is passed.
         *
         * @param end where the directory's own path ends in the text of the path
         */
        void through(View.Seen directory, int end) throws IOException;
    }

    /** Finds the entry at a path of the present below the root, and passes the directories above it. */
    ResolvedPath find(FilePath path, Steps steps) throws IOException {
        Walked walked = walk(path, steps);
        if (walked.problem() != Outcome.DONE) {
            return ResolvedPath.nothing(walked.problem(), walked.in(), path.name());
        }
        String last = path.name();
        return ResolvedPath.of(views.entry(walked.in(), last), walked.in(), last);
    }

    /**
     * The last directory above a path that is there.
     *
     * @param problem the reason why the walk ended there; DONE: it is the entry's own
     */
    private record Walked(View in, Outcome problem) {}

    /** Passes the directories above a path of the present below the root, as far as they are there. */
    private Walked walk(FilePath path, Steps steps) throws IOException {
        String text = path.value();
        View at = View.ROOT;
        int from = 1;
        for (int slash = text.indexOf('/', from); slash > 0; slash = text.indexOf('/', from)) {
            Optional<View.Seen> directory = directory(at, text.substring(from, slash));
            if (directory.isEmpty()) {
                return new Walked(at, Outcome.NO_PARENT);
            }
            if (!directory.get().inode().isDirectory()) {
                return new Walked(at, Outcome.NOT_A_DIRECTORY);
            }
            steps.through(directory.get(), slash);
            at = directory.get().inside();
            from = slash + 1;
        }
        return new Walked(at, Outcome.DONE);
    }

    /** Passes the directories above a path of the present below the root, and does not look for its entry. */
    void pass(FilePath path, Steps steps) throws IOException {
        Walked unused = walk(path, steps);
    }

    /** Looks a component of a path up that is likely a directory. */
    public Optional<View.Seen> directory(View in, String name) throws IOException {
        if (in.snapshot().isPresent()) {
            return views.entry(in, name);
        }
        Optional<Inode> own = directories.entry(in.directory(), name);
        return own.isPresent()
                ? Optional.of(new View.Seen(own.get(), in.directory(), Optional.empty(), List.of()))
                : views.inherited(in, name);
    }

    /** Returns the entries of directories, at present and at snapshots. */
    public Views views() {
        return views;
    }

    PastEntries past() {
        return past;
    }

    /** The own entry of a directory that is likely a directory itself. */
    public Optional<Inode> directory(long parent, String name) throws IOException {
        return directories.entry(parent, name);
    }

    /** The own entry of a directory. */
    public Optional<Inode> entry(long parent, String name) throws IOException {
        return rows.get(Keys.entry(parent, name)).map(Inode::decode);
    }

    /** The root has no entry of its own until its attributes are changed. */
    Inode root() throws IOException {
        return entry(0, "").orElse(ROOT);
    }

    public Optional<FileStatus> stat(FilePath path) throws IOException {
        return status(path, findFile(path));
    }

    /** Returns the attributes of the file or directory that was found at a path. */
    Optional<FileStatus> status(FilePath path, ResolvedPath found) {
        return found.inode().map(inode -> placements.status(path, inode, found.shown()));
    }

    /** Returns the entry at a path or, without one, the nearest entry above it. */
    public FileStatus nearest(FilePath path) throws IOException {
        if (path.isPast()) {
            return nearestOfThePast(path);
        }
        String text = path.value();
        View at = View.ROOT;
        Optional<FileStatus> found = Optional.empty();
        for (int from = 1; from < text.length(); ) {
            int slash = text.indexOf('/', from);
            int end = slash < 0 ? text.length() : slash;
            String name = text.substring(from, end);
            Optional<View.Seen> seen = slash < 0 ? views.entry(at, name) : directory(at, name);
            if (seen.isEmpty()) {
                break;
            }
            View.Seen file = views.follow(seen.get());
            Inode inode = file.inode();
            found = Optional.of(placements.status(new FilePath(text.substring(0, end)), inode, file.shown()));
            at = seen.get().inside();
            // Nothing is below a file.
            from = inode.isDirectory() ? end + 1 : text.length();
        }
        return found.isPresent() ? found.get() : placements.status(FilePath.ROOT, root(), Inheritance.OWN);
    }

    private FileStatus nearestOfThePast(FilePath path) throws IOException {
        for (Optional<FilePath> up = Optional.of(path);
                up.isPresent();
                up = up.get().parent()) {
            Optional<FileStatus> there = stat(up.get());
            if (there.isPresent()) {
                return there.get();
            }
        }
        return placements.status(FilePath.ROOT, root(), Inheritance.OWN);
    }

    /** Returns the place of the file that was found at a path; empty: there is none. */
    Optional<LocatedFile> locate(FilePath path, ResolvedPath found) throws IOException {
        Optional<Inode> inode = found.inode();
        return inode.isEmpty() || inode.get().isDirectory()
                ? Optional.empty()
                : Optional.of(placements.located(path, inode.get(), found.shown()));
    }

    /** Returns the place of the bytes of a version, whether its own file has them alone or others share them; empty: it is over. */
    public Optional<Inode.Place> place(FileVersion version) throws IOException {
        Optional<Inode.Place> own = file(version).map(entry -> entry.inode().place());
        return own.isPresent() && !Inode.hasMap(own.get())
                ? own
                : content(version).map(Content::place);
    }

    /** A version that several files share, or shared. */
    public Optional<Content> content(FileVersion version) throws IOException {
        return Content.find(rows, version.id()).filter(content -> content.generation() == version.generation());
    }

    Optional<LocatedFile> locate(FileVersion version) throws IOException {
        Optional<Entry> entry = file(version);
        Optional<FilePath> path =
                entry.isEmpty() ? Optional.empty() : pathOf(entry.get().link());
        boolean alone = entry.isPresent() && !Inode.hasMap(entry.get().inode().place());
        Optional<Content> content = alone ? Optional.empty() : content(version);
        if (content.isPresent()) {
            return Optional.of(placements.located(path.orElse(Placements.contentPath(version.id())), content.get()));
        }
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        Inode inode = entry.get().inode();
        if (path.isPresent()) {
            return Optional.of(placements.located(path.get(), inode, Inheritance.OWN));
        }
        FilePath withoutName = Placements.contentPath(version.id());
        return isKept(entry.get())
                ? Optional.of(placements.located(withoutName, inode, Inheritance.OWN))
                : Optional.empty();
    }

    /**
     * Returns whether a snapshot or a clone shows an entry of a tree that was deleted. Upkeep gives the entry's bytes to contents when it
     * takes the tree away; until then the entry has them.
     */
    private boolean isKept(Entry deleted) throws IOException {
        Optional<EntryLink> at = Optional.of(deleted.link());
        while (at.isPresent()) {
            if (past.isSeen(at.get().parent(), deleted.inode())) {
                return true;
            }
            at = link(at.get().parent());
        }
        return false;
    }

    /**
     * An inode and where it is linked.
     *
     * @param waiting whether it is not there yet, but replaces the file there when it is committed
     */
    public record Entry(EntryLink link, Inode inode, boolean waiting) {}

    /** The entry of a file version, wherever it was moved to; empty when it is gone. */
    public Optional<Entry> file(FileVersion version) throws IOException {
        return linked(version.id())
                .filter(entry ->
                        !entry.inode().isDirectory() && entry.inode().version().equals(version));
    }

    /** The entry of an id, wherever it was moved to; empty when it is gone. */
    public Optional<Entry> linked(long id) throws IOException {
        Optional<EntryLink> link = link(id);
        if (link.isEmpty()) {
            return Optional.empty();
        }
        Optional<Inode> there = entry(link.get().parent(), link.get().name()).filter(inode -> inode.id() == id);
        if (there.isPresent()) {
            return Optional.of(new Entry(link.get(), there.get(), false));
        }
        return WaitingVersions.at(rows, link.get()).stream()
                .filter(inode -> inode.id() == id)
                .map(inode -> new Entry(link.get(), inode, true))
                .findFirst();
    }

    Optional<List<FileStatus>> list(FilePath directory, ResolvedPath found, String startAfter, int limit)
            throws IOException {
        return entries(directory, found, startAfter, limit)
                .map(page -> page.stream()
                        .map(each -> placements.status(directory.child(each.name()), each.inode(), each.shown()))
                        .toList());
    }

    Optional<List<PastEntries.Named>> entries(FilePath directory, ResolvedPath found, String startAfter, int limit)
            throws IOException {
        if (found.inode().isEmpty() || !found.inode().get().isDirectory()) {
            return Optional.empty();
        }
        View in = found.seen().inside();
        if (directory.isPast() && PastPath.of(directory).isListOfSnapshots()) {
            return Optional.of(
                    in.snapshot().isPresent()
                            ? List.of()
                            : PastPath.snapshots(found.inode().get(), past, startAfter, limit));
        }
        return Optional.of(views.list(in, startAfter, limit));
    }

    /** Returns whether an inode of this id is linked, or was when a snapshot was taken that alone has its bytes. */
    public boolean isKnown(long id) throws IOException {
        return rows.get(Keys.numbered(Keys.INODE, id)).isPresent();
    }

    public Optional<EntryLink> link(long id) throws IOException {
        return rows.get(Keys.numbered(Keys.INODE, id))
                .filter(row -> Referrer.At.ofInode(row).isEmpty())
                .map(EntryLink::decode);
    }

    /** The path of a link; empty when a directory above it was removed. */
    public Optional<FilePath> pathOf(EntryLink link) throws IOException {
        Deque<String> names = new ArrayDeque<>(List.of(link.name()));
        long parent = link.parent();
        if (parent == HiddenDirectories.FILES) {
            return Optional.of(HiddenDirectories.FILES_PATH.child(link.name()));
        }
        while (parent != Inode.ROOT_ID) {
            Optional<EntryLink> up = link(parent);
            if (up.isEmpty()) {
                return Optional.empty();
            }
            names.push(up.get().name());
            parent = up.get().parent();
        }
        return Optional.of(new FilePath("/" + String.join("/", names)));
    }

    /** Returns the places of bytes. */
    public Placements placements() {
        return placements;
    }
}
