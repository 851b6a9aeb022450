// SPDX-License-Identifier: Apache-2.0
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
    /** The names that the trace removed: their state before the recording does not count any more. */
    private final Set<String> gone = new HashSet<>();
    /** The directories that calls reached under another name, through a symbolic link. */
    private final Map<String, String> aliases = new HashMap<>();

    FileTree(InitialState initial) {
        this.initial = initial;
    }

    /**
     * Returns the state of a path before the recording, unless the trace has it already: in a list, or at an earlier
     * call.
     */
    Optional<InitialState.Entry> unnamed(String path) {
        return names.containsKey(path) || initial.isListed(path) ? Optional.empty() : before(path);
    }

    private Optional<InitialState.Entry> before(String path) {
        return gone.contains(path) ? Optional.empty() : initial.of(path);
    }

    /** Returns the file of a name; a new name has its state from before the recording. */
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

    /** Notes that a name has no file. */
    void absent(String path) {
        if (!names.containsKey(path)) {
            gone.add(path);
        }
    }

    /** Gives a file the name that the kernel reports. */
    void named(String path, TracedFile file) {
        names.put(path, file);
    }

    /** Returns whether a path certainly had no file: neither before the recording nor in the trace. */
    boolean isAbsent(String path) {
        return !names.containsKey(path)
                && (gone.contains(path) || (initial.of(path).isEmpty() && initial.covers(path)));
    }

    /** Creates a file under a name that may have had another one. */
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

    /** Renames a file, or a directory with all names below it. */
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

    /** Returns whether a path is itself a link: its target says nothing about its directory. */
    private boolean isLink(String path) {
        TracedFile known = names.get(path);
        return known == null
                ? before(path)
                        .filter(was -> was.kind() == InitialState.Kind.LINK)
                        .isPresent()
                : known.isLink();
    }

    /** Returns a path with the kernel's name of its directory, as far as that is known. */
    String canonical(String path) {
        int slash = path.lastIndexOf('/');
        String directory = slash <= 0 ? "" : aliases.getOrDefault(path.substring(0, slash), "");
        return directory.isEmpty() ? path : directory + path.substring(slash);
    }
}
