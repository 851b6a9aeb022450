package io.packing.bdt.master.table;

import io.packing.bdt.AccessMode;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.ExtraChange;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What somebody may do to the files of a mount: owner, group and mode as of POSIX, and of HDFS where that leaves a choice (RFC 0007).
 * Whoever may not learns it by a {@link DeniedException}. Immutable.
 */
public final class Permissions {
    /** Nobody is asked who they are. */
    public static final Permissions UNCHECKED = new Permissions(Optional.empty(), OptionalLong.empty());

    /** Names that the writer's thread looks at before it deletes a tree. */
    static final int MOST_IN_TREE = 100_000;

    private static final String USER = "user.";
    private static final String TRUSTED = "trusted.";
    private static final String SECURITY = "security.";
    private static final String CAPABILITY = "security.capability";

    private static final int STICKY = 01000;
    private static final int PAGE = 1_000;

    private final Optional<Principal> who;
    /** Id of a directory whose tree was looked at before. */
    private final OptionalLong looked;

    /** A directory on the way to a name, and how it is called. */
    record Place(String path, Inode directory) {
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

    /** The same of somebody who was found to be allowed to delete what is in a directory. */
    Permissions havingLookedAt(Inode directory) {
        return new Permissions(who, OptionalLong.of(directory.id()));
    }

    boolean isChecked() {
        return who.isPresent();
    }

    /** Refuses unless each directory above a path, as far as they are there, may be gone through. */
    void search(Namespace names, FilePath path) throws IOException {
        if (who.isPresent()) {
            Place unused = way(names, path);
        }
    }

    /** Refuses unless what is at a path, if anything is, may be used so. */
    void need(Namespace names, FilePath path, int rights) throws IOException {
        if (who.isPresent()) {
            Place unused = way(names, path);
            Optional<Inode> there = names.findFile(path).inode();
            if (there.isPresent()) {
                need(path, there.get().attributes(), rights);
            }
        }
    }

    /** Refuses unless something with these attributes may be used so. */
    void need(FilePath path, FileAttributes there, int rights) throws DeniedException {
        need(path.value(), there, rights, false);
    }

    private void need(String path, FileAttributes there, int rights, boolean directory) throws DeniedException {
        if (who.isPresent() && (granted(who.get(), there) & rights) != rights) {
            throw denied("access=" + AccessMode.name(rights), path, there, directory);
        }
    }

    private static int granted(Principal caller, FileAttributes there) {
        if (caller.owns(there.owner())) {
            return there.mode() >>> 6 & 7;
        }
        return (caller.isIn(there.group()) ? there.mode() >>> 3 : there.mode()) & 7;
    }

    /** Refuses unless a name may be made at a path, at which nothing is, with directories above it. */
    void create(Namespace names, FilePath path) throws IOException {
        if (who.isPresent()) {
            write(way(names, path));
        }
    }

    /** Refuses unless a file may be made at a path, in the place of one that is there, if there is one. */
    void createOrReplace(Namespace names, FilePath path) throws IOException {
        if (who.isPresent()) {
            Place in = way(names, path);
            Optional<Inode> there = names.findFile(path).inode().filter(inode -> !inode.isDirectory());
            if (there.isPresent()) {
                need(path, there.get().attributes(), AccessMode.WRITE);
                unlink(in, path.value(), there.get());
            } else {
                write(in);
            }
        }
    }

    /** Refuses unless a name may leave its directory. */
    void remove(Namespace names, FilePath path, Inode victim) throws IOException {
        if (who.isPresent()) {
            unlink(way(names, path), path.value(), victim);
        }
    }

    /** The same where the directory is known, and may be gone to. */
    void unlink(Place in, String path, Inode victim) throws DeniedException {
        if (who.isEmpty()) {
            return;
        }
        write(in);
        FileAttributes directory = in.directory().attributes();
        boolean owns = who.get().owns(victim.attributes().owner()) || who.get().owns(directory.owner());
        if ((directory.mode() & STICKY) != 0 && !owns) {
            throw denied("sticky bit set, access=WRITE", in.path(), directory, true);
        }
    }

    private void write(Place in) throws DeniedException {
        need(in.path(), in.directory().attributes(), AccessMode.WRITE, true);
    }

    /** Refuses unless all that is in a directory, and below it, may be deleted. */
    void removeTree(Namespace names, FilePath path, Inode directory) throws IOException {
        if (who.isPresent() && !looked.equals(OptionalLong.of(directory.id()))) {
            removeTree(names, path, directory, MOST_IN_TREE);
        }
    }

    void removeTree(Namespace names, FilePath path, Inode directory, long mostNames) throws IOException {
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

    /** Refuses unless somebody owns what is at a path. */
    void own(FilePath path, Inode there) throws DeniedException {
        if (who.isPresent() && !who.get().owns(there.attributes().owner())) {
            throw denied("not the owner", path.value(), there.attributes(), there.isDirectory());
        }
    }

    /** Refuses unless somebody may say how much a directory may have. */
    void setQuota(FilePath path, Inode there) throws DeniedException {
        if (who.isPresent()) {
            throw denied(
                    "access=SET_QUOTA, which only superusers have",
                    path.value(),
                    there.attributes(),
                    there.isDirectory());
        }
    }

    /** Refuses unless attributes of what is at a path may be changed so. */
    void change(FilePath path, Inode there, AttributeChange change) throws DeniedException {
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
        if (group.isPresent() && !who.get().isIn(group.get())) {
            throw denied("not in the group " + group.get(), path.value(), now, there.isDirectory());
        }
        if (change.extra().changed().isPresent()) {
            own(path, there);
        }
        changeExtended(path, now, change.extra());
    }

    /** Refuses unless extended attributes of something with these attributes may be changed so. */
    void changeExtended(FilePath path, FileAttributes there, ExtraChange change) throws DeniedException {
        if (who.isEmpty()) {
            return;
        }
        for (ExtendedChange step : change.extended()) {
            if (step.name().startsWith(USER)) {
                need(path, there, AccessMode.WRITE);
            } else if (step.name().startsWith(TRUSTED) || step.kind() == ExtendedChange.Kind.CLEAR) {
                throw denied(
                        "access=%s %s, which only superusers have".formatted(step.kind(), step.name()),
                        path.value(),
                        there,
                        false);
            } else if (!who.get().owns(there.owner())) {
                throw denied("not the owner", path.value(), there, false);
            }
        }
    }

    /** Those of the extended attributes of what is at a path that may be known; refuses where reading is needed. */
    SortedMap<String, ExtendedValue> readable(FilePath path, Inode there) throws DeniedException {
        SortedMap<String, ExtendedValue> all = there.extras().extended();
        if (who.isEmpty()) {
            return all;
        }
        SortedMap<String, ExtendedValue> known = new TreeMap<>(all);
        known.keySet().removeIf(name -> name.startsWith(TRUSTED));
        if (known.keySet().stream().anyMatch(name -> name.startsWith(USER))) {
            need(path, there.attributes(), AccessMode.READ);
        }
        return known;
    }

    /** What a clone has that somebody makes: what programs may do is not theirs to give. */
    Extras cloned(Extras source) {
        return who.isEmpty() ? source : source.without(name -> name.startsWith(TRUSTED) || name.startsWith(SECURITY));
    }

    /** What a file has still after somebody wrote to it. */
    Extras written(Extras before) {
        return who.isEmpty() ? before : before.without(CAPABILITY::equals);
    }

    /** The attributes that a new file gets for which these are asked: it belongs to whoever makes it. */
    FileAttributes given(Namespace names, FilePath path, FileAttributes asked) throws IOException {
        return who.isEmpty()
                ? asked
                : new FileAttributes(
                        asked.length(),
                        asked.mtimeMillis(),
                        who.get().user(),
                        group(names, path, asked.group()),
                        asked.mode());
    }

    /** The same of a directory. */
    DirectoryAttributes given(Namespace names, FilePath path, DirectoryAttributes asked) throws IOException {
        return who.isEmpty()
                ? asked
                : new DirectoryAttributes(who.get().user(), group(names, path, asked.group()), asked.mode());
    }

    private String group(Namespace names, FilePath path, String asked) throws IOException {
        return who.orElseThrow().isIn(asked)
                ? asked
                : way(names, path).directory().attributes().group();
    }

    /** The last of the directories above a path that are there; each of them may be gone through. */
    private Place way(Namespace names, FilePath path) throws IOException {
        Place at = new Place("/", names.directory(0, "").orElse(Namespace.ROOT));
        if (path.isRoot()) {
            return at;
        }
        search(at);
        if (path.isPast()) {
            return wayIntoThePast(names, path, at);
        }
        String text = path.value();
        View view = View.ROOT;
        int from = 1;
        for (int slash = text.indexOf('/', from); slash > 0; slash = text.indexOf('/', from)) {
            Optional<View.Seen> next = names.directory(view, text.substring(from, slash));
            if (next.isEmpty() || !next.get().inode().isDirectory()) {
                return at;
            }
            at = place(text.substring(0, slash), next.get().inode());
            search(at);
            view = next.get().inside();
            from = slash + 1;
        }
        return at;
    }

    /** What doors keep for themselves is made by whoever is the first to need it, and is everybody's. */
    private static Place place(String path, Inode directory) {
        if (!path.equals(FilePath.RESERVED.value()) && !path.equals(FilePath.SCRATCH.value())) {
            return new Place(path, directory);
        }
        FileAttributes shared = new FileAttributes(0, directory.attributes().mtimeMillis(), "", "", 01777);
        return new Place(path, new Inode(directory.id(), directory.generation(), shared, directory.place()));
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
            Optional<Inode> next = names.find(each).inode();
            if (next.isEmpty() || !next.get().isDirectory()) {
                return at;
            }
            at = Place.of(each, next.get());
            search(at);
        }
        return at;
    }

    private void search(Place at) throws DeniedException {
        need(at.path(), at.directory().attributes(), AccessMode.SEARCH, true);
    }

    private DeniedException denied(String lacks, String path, FileAttributes there, boolean directory) {
        return new DeniedException("Permission denied: user=%s, %s, inode=\"%s\":%s:%s:%s"
                .formatted(
                        who.map(Principal::user).orElse(""),
                        lacks,
                        path,
                        there.owner(),
                        there.group(),
                        shown(there.mode(), directory)));
    }

    /** A mode as {@code ls -l} shows it. */
    static String shown(int mode, boolean directory) {
        StringBuilder shown = new StringBuilder(directory ? "d" : "-");
        for (int shift = 6; shift >= 0; shift -= 3) {
            int bits = mode >>> shift & 7;
            shown.append((bits & 4) != 0 ? 'r' : '-')
                    .append((bits & 2) != 0 ? 'w' : '-')
                    .append((bits & 1) != 0 ? 'x' : '-');
        }
        if ((mode & STICKY) != 0) {
            shown.setCharAt(9, (mode & 1) != 0 ? 't' : 'T');
        }
        return shown.toString();
    }
}
