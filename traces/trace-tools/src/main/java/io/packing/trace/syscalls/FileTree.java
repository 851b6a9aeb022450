package io.packing.trace.syscalls;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The names of files, as the traced calls change them. Memory grows with the number of names. */
final class FileTree {
    private final InitialState initial;
    private final TreeMap<String, TracedFile> names = new TreeMap<>();
    /** Names that the trace took away: what they were before the recording does not count any more. */
    private final Set<String> gone = new HashSet<>();
    /** Directories that were reached under another name, through a symbolic link. */
    private final Map<String, String> aliases = new HashMap<>();

    FileTree(InitialState initial) {
        this.initial = initial;
    }

    /** What a path was before the recording, unless that was noted before: in a list, or when the trace named it. */
    Optional<InitialState.Entry> unnamed(String path) {
        return names.containsKey(path) || initial.isListed(path) ? Optional.empty() : before(path);
    }

    private Optional<InitialState.Entry> before(String path) {
        return gone.contains(path) ? Optional.empty() : initial.of(path);
    }

    /** The file of a name; one that is named for the first time is as it was before the recording. */
    TracedFile at(String path) {
        TracedFile known = names.get(path);
        return known == null ? first(path, before(path)) : known;
    }

    private TracedFile first(String path, Optional<InitialState.Entry> entry) {
        TracedFile file = new TracedFile();
        entry.ifPresent(was -> {
            file.kind(was.kind());
            if (was.kind() == InitialState.Kind.FILE) {
                file.size(was.size());
            }
        });
        names.put(path, file);
        return file;
    }

    /** Notes that there is nothing under a name. */
    void absent(String path) {
        if (!names.containsKey(path)) {
            gone.add(path);
        }
    }

    /** Gives a file the name that the kernel says it has. */
    void named(String path, TracedFile file) {
        names.put(path, file);
    }

    /** Whether a path was surely not there: neither before the recording, nor made by the trace. */
    boolean isAbsent(String path) {
        return !names.containsKey(path)
                && (gone.contains(path) || (initial.of(path).isEmpty() && initial.covers(path)));
    }

    /** A new file under a name that may have had another. */
    TracedFile create(String path) {
        TracedFile file = new TracedFile();
        names.put(path, file);
        return file;
    }

    void link(String path, String name) {
        names.put(name, at(path));
    }

    void unlink(String path) {
        names.remove(path);
        gone.add(path);
    }

    /** Gives a file or a directory, with what is below, another name. */
    void rename(String from, String to) {
        TracedFile moved = at(from);
        Map<String, TracedFile> below = new TreeMap<>(below(from));
        below(from).clear();
        below(to).clear();
        names.remove(from);
        gone.add(from);
        names.put(to, moved);
        below.forEach((name, file) -> names.put(to + name.substring(from.length()), file));
    }

    void exchange(String one, String other) {
        String between = one + "\\x00";
        rename(one, between);
        rename(other, one);
        rename(between, other);
    }

    private NavigableMap<String, TracedFile> below(String directory) {
        // '0' follows '/'.
        return names.subMap(directory + "/", true, directory + "0", false);
    }

    /** Notes that the kernel resolved a path to another one. */
    void learn(String asked, String resolved) {
        if (asked.equals(resolved) || !asked.startsWith("/") || !resolved.startsWith("/") || isLink(asked)) {
            return;
        }
        int askedEnd = asked.lastIndexOf('/');
        int resolvedEnd = resolved.lastIndexOf('/');
        if (askedEnd > 0 && resolvedEnd > 0 && asked.substring(askedEnd).equals(resolved.substring(resolvedEnd))) {
            aliases.put(asked.substring(0, askedEnd), resolved.substring(0, resolvedEnd));
        }
    }

    /** Whether a path is itself a link: where it leads says nothing of its directory. */
    private boolean isLink(String path) {
        TracedFile known = names.get(path);
        return known == null
                ? before(path)
                        .filter(was -> was.kind() == InitialState.Kind.LINK)
                        .isPresent()
                : known.isLink();
    }

    /** A path under the name that its directory has for the kernel, as far as that is known. */
    String canonical(String path) {
        int slash = path.lastIndexOf('/');
        String directory = slash <= 0 ? "" : aliases.getOrDefault(path.substring(0, slash), "");
        return directory.isEmpty() ? path : directory + path.substring(slash);
    }
}
