// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.AccessMode;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.DeniedException;
import io.packing.bdt.master.table.row.Inode;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rights of a caller to the files of a mount: by owner, group and mode as of POSIX, and of HDFS where that leaves a choice (RFC 0007).
 * A refused caller gets a {@link DeniedException}. Immutable.
 */
public final class Permissions {
    /** The permissions of callers whose identity is not checked: they may do everything. */
    public static final Permissions UNCHECKED = new Permissions(Optional.empty(), OptionalLong.empty());

    /** Names that the writer's thread looks at before it deletes a tree. */
    static final int MOST_IN_TREE = 100_000;

    private static final int STICKY = 01000;
    private static final int PAGE = 1_000;
    /**
     * Mode of the directories that doors keep for themselves. The first door that needs one makes it, each user makes names there, and only
     * superusers list them.
     */
    private static final int SHARED = 01733;

    private final Optional<Principal> who;
    /** Id of a directory whose tree was looked at before. */
    private final OptionalLong looked;

    /** A directory on the way to a name, and how it is called. */
    record Place(String path, Inode directory) {
        /** The directory above a path whose caller may do everything. */
        static final Place UNCHECKED = new Place("/", Namespace.ROOT);

        static Place of(FilePath path, Inode directory) {
            return new Place(path.value(), directory);
        }
    }

    private Permissions(Optional<Principal> who, OptionalLong looked) {
        this.who = who;
        this.looked = looked;
    }

    public static Permissions of(Principal principal) {
        return principal.superuser() ? UNCHECKED : new Permissions(Optional.of(principal), OptionalLong.empty());
    }

    /** Returns these permissions, after a check that the user may delete the content of a directory. */
    Permissions havingLookedAt(Inode directory) {
        return new Permissions(who, OptionalLong.of(directory.id()));
    }

    public boolean isChecked() {
        return who.isPresent();
    }

    /**
     * Finds the entry at a path. Each directory above it is looked up once, for the entry and for the rights.
     *
     * @throws DeniedException when the caller may not go through one of the directories
     */
    public Target reach(Namespace names, FilePath path) throws IOException {
        if (who.isEmpty()) {
            return new Target(this, names, path, Place.UNCHECKED, names.find(path));
        }
        Place root = begin(names, path);
        if (path.isRoot()) {
            return new Target(this, names, path, root, names.find(path));
        }
        if (path.isPast()) {
            Place above = wayIntoThePast(names, path, root);
            return new Target(this, names, path, above, names.find(path));
        }
        Way way = new Way(path, root);
        ResolvedPath found = names.find(path, way);
        return new Target(this, names, path, way.at, found);
    }

    /** Refuses unless each directory above a path, as far as they are there, may be gone through. */
    public void search(Namespace names, FilePath path) throws IOException {
        if (who.isPresent()) {
            Place unused = way(names, path);
        }
    }

    /** Refuses unless what is at a path, if anything is, may be used so. */
    public void need(Namespace names, FilePath path, int rights) throws IOException {
        if (who.isPresent()) {
            reach(names, path).need(rights);
        }
    }

    /** Returns true if something with these attributes is the caller's own. */
    boolean owns(FileAttributes there) {
        return who.isEmpty() || who.get().owns(there.owner());
    }

    /** Refuses unless something with these attributes may be used so. */
    public void need(FilePath path, FileAttributes there, int rights) throws DeniedException {
        need(path.value(), there, rights, false);
    }

    private void need(String path, FileAttributes there, int rights, boolean directory) throws DeniedException {
        if (who.isPresent()) {
            who.get().need(path, isShared(path) ? shared(there) : there, rights, directory);
        }
    }

    /** Refuses unless a name may leave its directory. */
    public void remove(Namespace names, FilePath path, Inode victim) throws IOException {
        if (who.isPresent()) {
            unlink(way(names, path), path.value(), victim);
        }
    }

    /** Refuses unless an entry may be removed from a known directory that the caller has reached. */
    void unlink(Place in, String path, Inode victim) throws DeniedException {
        if (who.isEmpty()) {
            return;
        }
        write(in);
        FileAttributes directory = in.directory().attributes();
        refuseShared(path, victim);
        boolean owns = who.get().owns(victim.attributes().owner()) || who.get().owns(directory.owner());
        if ((directory.mode() & STICKY) != 0 && !owns) {
            throw denied("sticky bit set, access=WRITE", in.path(), directory, true);
        }
    }

    /** Refuses unless a name may be made in a known directory that the caller has reached. */
    void write(Place in) throws DeniedException {
        need(in.path(), in.directory().attributes(), AccessMode.WRITE, true);
    }

    /** Refuses unless all that is in a directory, and below it, may be deleted. */
    public void removeTree(Namespace names, FilePath path, Inode directory) throws IOException {
        if (who.isPresent() && !looked.equals(OptionalLong.of(directory.id()))) {
            removeTree(names, path, directory, MOST_IN_TREE);
        }
    }

    public void removeTree(Namespace names, FilePath path, Inode directory, long mostNames) throws IOException {
        Deque<Place> left = new ArrayDeque<>(List.of(Place.of(path, directory)));
        long seen = 0;
        while (!left.isEmpty()) {
            Place at = left.pop();
            String after = "";
            for (boolean more = true; more; ) {
                List<PastEntries.Named> page = names.views().list(View.present(at.directory()), after, PAGE);
                if (after.isEmpty() && !page.isEmpty()) {
                    need(at.path(), at.directory().attributes(), 7, true);
                }
                seen += page.size();
                if (seen > mostNames) {
                    throw new DeniedException(
                            ("Permission denied: user=%s, %s has more than %d names, too many to look for those that the user may"
                                            + " not delete: delete directories in it first")
                                    .formatted(who.map(Principal::user).orElse(""), path, mostNames));
                }
                for (PastEntries.Named each : page) {
                    removable(at, each, left);
                    after = each.name();
                }
                more = page.size() == PAGE;
            }
        }
    }

    private void removable(Place in, PastEntries.Named each, Deque<Place> left) throws DeniedException {
        String path = child(in.path(), each.name());
        if ((in.directory().attributes().mode() & STICKY) != 0) {
            unlink(in, path, each.inode());
        }
        if (each.inode().isDirectory()) {
            left.push(new Place(path, each.inode()));
        }
    }

    private static String child(String directory, String name) {
        return directory.endsWith("/") ? directory + name : directory + "/" + name;
    }

    /** Refuses a caller who does not own the entry at a path. */
    public void own(FilePath path, Inode there) throws DeniedException {
        refuseShared(path.value(), there);
        if (who.isPresent() && !who.get().owns(there.attributes().owner())) {
            throw denied("not the owner", path.value(), there.attributes(), there.isDirectory());
        }
    }

    private void refuseShared(String path, Inode there) throws DeniedException {
        if (who.isPresent() && isShared(path)) {
            throw denied("not the owner", path, shared(there.attributes()), true);
        }
    }

    /** Refuses a caller who may not set quotas. */
    public void setQuota(FilePath path, Inode there) throws DeniedException {
        if (who.isPresent()) {
            throw denied(
                    "access=SET_QUOTA, which only superusers have",
                    path.value(),
                    there.attributes(),
                    there.isDirectory());
        }
    }

    /** Refuses unless attributes of what is at a path may be changed so. */
    public void change(FilePath path, Inode there, AttributeChange change) throws DeniedException {
        if (who.isEmpty()) {
            return;
        }
        FileAttributes now = there.attributes();
        if (change.owner().filter(owner -> !owner.equals(now.owner())).isPresent()) {
            throw denied("access=CHOWN, which only superusers have", path.value(), now, there.isDirectory());
        }
        Optional<String> group = change.group().filter(other -> !other.equals(now.group()));
        if (group.isPresent()
                || change.mode().isPresent()
                || change.mtimeMillis().isPresent()) {
            own(path, there);
        }
        if (group.isPresent() && !who.get().mayGiveTo(group.get())) {
            throw denied("not in the group " + group.get(), path.value(), now, there.isDirectory());
        }
        if (change.extra().changed().isPresent()) {
            own(path, there);
        }
        refuseShared(path.value(), there);
        privileges().check(path, there, change);
    }

    /** Returns what the caller may do to attributes by which a kernel gives privileges. */
    public Privileges privileges() {
        return new Privileges(who);
    }

    /** Returns the attributes of a new file in a known directory, given the ones that its maker asks for. It belongs to its maker. */
    FileAttributes given(Place in, FilePath path, FileAttributes asked) throws DeniedException {
        if (who.isEmpty()) {
            return asked;
        }
        String group = who.get().mayGiveTo(asked.group())
                ? asked.group()
                : in.directory().attributes().group();
        int mode = privileges().ofNew(path, asked, group);
        return new FileAttributes(asked.length(), asked.mtimeMillis(), who.get().user(), group, mode);
    }

    /** The last of the directories above a path that are there; each of them may be gone through. */
    private Place way(Namespace names, FilePath path) throws IOException {
        Place root = begin(names, path);
        if (path.isRoot()) {
            return root;
        }
        if (path.isPast()) {
            return wayIntoThePast(names, path, root);
        }
        Way way = new Way(path, root);
        names.pass(path, way);
        return way.at;
    }

    /** Returns the root, which the caller may go through if a path leads farther. */
    private Place begin(Namespace names, FilePath path) throws IOException {
        who.orElseThrow().checkName();
        Place root = new Place("/", names.directory(0, "").orElse(Namespace.ROOT));
        if (!path.isRoot()) {
            search(root);
            checkScratch(names, path);
        }
        return root;
    }

    /** The way of a caller to a path, who must be allowed to go through each directory. */
    private final class Way implements Namespace.Steps {
        private final String text;
        private Place at;

        private Way(FilePath path, Place root) {
            this.text = path.value();
            this.at = root;
        }

        @Override
        public void through(View.Seen directory, int end) throws IOException {
            at = place(text.substring(0, end), directory.inode());
            boolean isPast = directory.snapshot().isPresent();
            refuseKept(
                    at,
                    isPast && isReserved(directory.parent(), text.substring(text.lastIndexOf('/', end - 1) + 1, end)));
            search(at);
        }
    }

    /**
     * Refuses another user's file among those that doors keep for themselves. Programs of its owner have it open still, which may be let in
     * where the file was, and not here: so its mode says nothing.
     */
    private void checkScratch(Namespace names, FilePath path) throws IOException {
        if (path.equals(FilePath.SCRATCH) || !FilePath.SCRATCH.contains(path)) {
            return;
        }
        String text = path.value();
        int end = text.indexOf('/', FilePath.SCRATCH.value().length() + 1);
        FilePath top = end < 0 ? path : new FilePath(text.substring(0, end));
        Optional<Inode> there = names.findFile(top).inode();
        if (there.isPresent()
                && !who.orElseThrow().owns(there.get().attributes().owner())) {
            throw new DeniedException("Permission denied: user=%s, not the owner, inode=\"%s\""
                    .formatted(who.get().user(), top));
        }
    }

    /** Refuses what snapshots and clones of the root show of the doors' own files: no user needs them there. */
    private void refuseKept(Place at, boolean isKept) throws DeniedException {
        if (isKept) {
            throw denied("access=EXECUTE", at.path(), shared(at.directory().attributes()), true);
        }
    }

    /** Makes a place on the way. A directory that doors keep for themselves belongs to no user, not to the first either who needed it. */
    private static Place place(String path, Inode directory) {
        return new Place(
                path,
                isShared(path)
                        ? new Inode(
                                directory.id(),
                                directory.generation(),
                                shared(directory.attributes()),
                                directory.place())
                        : directory);
    }

    private static boolean isReserved(long parent, String name) {
        return parent == Inode.ROOT_ID && name.equals(FilePath.RESERVED.name());
    }

    private static boolean isShared(String path) {
        return path.equals(FilePath.RESERVED.value()) || path.equals(FilePath.SCRATCH.value());
    }

    private static FileAttributes shared(FileAttributes of) {
        return new FileAttributes(0, of.mtimeMillis(), "", "", SHARED);
    }

    private Place wayIntoThePast(Namespace names, FilePath path, Place root) throws IOException {
        Deque<FilePath> above = new ArrayDeque<>();
        for (Optional<FilePath> up = path.parent();
                up.isPresent() && !up.get().isRoot();
                up = up.get().parent()) {
            above.push(up.get());
        }
        Place at = root;
        for (FilePath each : above) {
            ResolvedPath next = names.find(each);
            if (next.inode().filter(Inode::isDirectory).isEmpty()) {
                return at;
            }
            at = Place.of(each, next.inode().get());
            refuseKept(at, next.snapshot().isPresent() && isReserved(next.parent(), next.name()));
            search(at);
        }
        return at;
    }

    private void search(Place at) throws DeniedException {
        need(at.path(), at.directory().attributes(), AccessMode.SEARCH, true);
    }

    private DeniedException denied(String lacks, String path, FileAttributes there, boolean directory) {
        return who.orElseThrow().denied(lacks, path, there, directory);
    }
}
