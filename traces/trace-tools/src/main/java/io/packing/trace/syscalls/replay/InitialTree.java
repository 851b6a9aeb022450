// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls.replay;

import io.packing.trace.Call;
import io.packing.trace.Subject;
import io.packing.trace.TraceEvent;
import io.packing.trace.syscalls.replay.InitialFile.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The tree before a recording: the files of its snapshot, and the files that its calls found without having made them.
 * It takes the events in their order. Memory grows with the number of names.
 */
final class InitialTree {
    private static final class Node {
        private final Optional<String> before;
        private Kind kind;
        private long size = TraceEvent.NONE;
        private String target = "";
        private long readTo;
        private boolean changed;
        /** True if the trace states the kind; false if a call that succeeded only suggests it. */
        private boolean sure;

        private Node(Optional<String> before, Kind kind) {
            this.before = before;
            this.kind = kind;
        }
    }

    private static final Set<Call> RENAMES = Set.of(Call.SYS_RENAME, Call.SYS_RENAMEAT, Call.SYS_RENAMEAT2);
    private static final Set<Call> LINKS = Set.of(Call.SYS_LINK, Call.SYS_LINKAT);
    private static final Set<Call> SYMLINKS = Set.of(Call.SYS_SYMLINK, Call.SYS_SYMLINKAT);
    private static final Set<Call> REMOVES = Set.of(Call.SYS_UNLINK, Call.SYS_UNLINKAT, Call.SYS_RMDIR);
    private static final Set<Call> MAKES_DIRECTORY = Set.of(Call.SYS_MKDIR, Call.SYS_MKDIRAT);
    private static final Set<Call> MAKES_FILE = Set.of(Call.SYS_MKNOD, Call.SYS_MKNODAT);
    private static final Set<Call> ON_DIRECTORIES =
            Set.of(Call.SYS_GETDENTS, Call.SYS_GETDENTS64, Call.SYS_CHDIR, Call.SYS_FCHDIR);
    private static final Set<Call> ON_LINKS = Set.of(Call.SYS_READLINK, Call.SYS_READLINKAT);

    private static final int MOST_LINKS = 40;

    private final TreeMap<String, Node> names = new TreeMap<>();
    private final List<Node> initial = new ArrayList<>();
    /** The names that the trace has used: their state before it is known. */
    private final Set<String> settled = new HashSet<>();

    private final Set<String> appeared = new HashSet<>();
    private final Map<Long, Node> streams = new HashMap<>();

    void add(TraceEvent event) {
        if (!Sandbox.holds(event.path()) || event.hints().contains("type=other")) {
            return;
        }
        Call call = event.call();
        if (call == Call.SNAPSHOT) {
            snapshot(event);
        } else if (call.subject() == Subject.SYSTEM && !event.failed()) {
            succeeded(event);
        } else if (event.error().equals("ENOENT")) {
            absent(event.path());
        } else if (event.error().equals("EINVAL") && ON_LINKS.contains(call)) {
            found(event.path(), Kind.FILE);
        } else if (event.error().equals("EEXIST") && !RENAMES.contains(call)) {
            found(LINKS.contains(call) ? event.target() : event.path(), Kind.FILE);
        }
    }

    /** Notes that a path has no file, now and before, and that the names above it are directories. */
    private void absent(String path) {
        if (!names.containsKey(path)) {
            settled.add(path);
        }
        for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
            Node above = names.get(path.substring(0, slash));
            if (above != null && !above.sure && above.kind == Kind.FILE) {
                above.kind = Kind.DIRECTORY;
            }
        }
    }

    /** Returns the paths that appeared without an event, such as a socket's. */
    Set<String> appeared() {
        return Set.copyOf(appeared);
    }

    private void snapshot(TraceEvent event) {
        Node guessed = names.get(event.path());
        boolean settledOtherwise = guessed == null || guessed.sure || guessed.before.isEmpty();
        if (settled.contains(event.path()) && settledOtherwise) {
            return;
        }
        String hints = event.hints();
        Kind kind = hints.contains("type=dir")
                ? Kind.DIRECTORY
                : hints.contains("type=link") && !event.target().isEmpty() ? Kind.LINK : Kind.FILE;
        found(event.path(), kind).ifPresent(node -> {
            node.kind = kind;
            node.sure = true;
            node.size = kind == Kind.FILE ? Math.max(0, event.fileSize()) : TraceEvent.NONE;
            node.target = event.target();
        });
    }

    private void succeeded(TraceEvent event) {
        Call call = event.call();
        if (RENAMES.contains(call)) {
            found(event.path(), Kind.FILE);
            if (event.hints().contains("EXCHANGE")) {
                found(event.target(), Kind.FILE);
                move(event.target(), event.path() + "\\x00");
                move(event.path(), event.target());
                move(event.path() + "\\x00", event.path());
            } else {
                move(event.path(), event.target());
            }
        } else if (LINKS.contains(call)) {
            found(event.path(), Kind.FILE).ifPresent(node -> put(event.target(), node));
        } else if (SYMLINKS.contains(call)) {
            made(event.path(), Kind.LINK);
        } else if (REMOVES.contains(call)) {
            found(event.path(), removesDirectory(event) ? Kind.DIRECTORY : Kind.FILE);
            names.remove(event.path());
        } else if (MAKES_DIRECTORY.contains(call)) {
            made(event.path(), Kind.DIRECTORY);
        } else if (MAKES_FILE.contains(call)) {
            made(event.path(), Kind.FILE);
        } else if (OpenFlags.opens(call)) {
            opened(event);
        } else if (call == Call.SYS_EXECVE) {
            found(event.path(), Kind.FILE);
        } else {
            used(event);
        }
    }

    static boolean removesDirectory(TraceEvent event) {
        return event.call() == Call.SYS_RMDIR || event.hints().contains("AT_REMOVEDIR");
    }

    private void opened(TraceEvent event) {
        OpenFlags flags = OpenFlags.of(event);
        if (flags.unnamed()) {
            streams.put(event.stream(), new Node(Optional.empty(), Kind.FILE));
            return;
        }
        Node node = names.get(event.path());
        if (node == null && flags.create() && (flags.created() || flags.exclusive() || event.fileSize() <= 0)) {
            node = made(event.path(), Kind.FILE);
        } else {
            Optional<Node> known = found(event.path(), flags.directory() ? Kind.DIRECTORY : Kind.FILE);
            if (known.isEmpty()) {
                return;
            }
            node = known.get();
            if (flags.truncate()) {
                node.changed = true;
            }
            sized(node, event.fileSize());
        }
        streams.put(event.stream(), node);
    }

    /** Notes a call on an open file, or on a path that stays. */
    private void used(TraceEvent event) {
        Node node = streams.get(event.stream());
        if (event.stream() == TraceEvent.NONE || node == null) {
            Kind kind = ON_DIRECTORIES.contains(event.call()) || event.hints().contains("type=dir")
                    ? Kind.DIRECTORY
                    : Kind.FILE;
            if (ON_LINKS.contains(event.call()) && !names.containsKey(event.path())) {
                return;
            }
            Optional<Node> known = found(event.path(), kind);
            if (known.isEmpty()) {
                return;
            }
            node = known.get();
            if (event.stream() != TraceEvent.NONE) {
                streams.put(event.stream(), node);
            }
        }
        if (node.kind == Kind.LINK && event.stream() == TraceEvent.NONE) {
            throughLink(event, node);
            return;
        }
        if (ON_DIRECTORIES.contains(event.call()) || event.hints().contains("type=dir")) {
            node.kind = Kind.DIRECTORY;
            node.sure = true;
            return;
        }
        node.sure |= event.hints().contains("type=file");
        if (event.call().reads()) {
            node.readTo =
                    Math.max(node.readTo, event.offset() == TraceEvent.NONE ? Math.max(0, node.size) : event.end());
            sized(node, event.fileSize() == TraceEvent.NONE ? event.end() : event.fileSize());
        } else if (event.call().writes() || changesSize(event.call())) {
            node.changed = true;
        } else {
            sized(node, event.fileSize());
        }
    }

    /** Notes that a call that followed a link found the link's target. */
    private void throughLink(TraceEvent event, Node link) {
        boolean follows = !ON_LINKS.contains(event.call()) && !event.hints().contains("type=link");
        if (!follows || link.target.isEmpty()) {
            return;
        }
        String path = link.target.startsWith("/") ? link.target : directory(event.path()) + link.target;
        Kind kind = event.hints().contains("type=dir") ? Kind.DIRECTORY : Kind.FILE;
        found(plain(path), kind).ifPresent(node -> {
            if (node.kind == Kind.FILE) {
                sized(node, event.fileSize());
            }
        });
    }

    private static String plain(String path) {
        Deque<String> parts = new ArrayDeque<>();
        for (String name : path.split("/", -1)) {
            if (name.equals("..")) {
                parts.pollLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                parts.addLast(name);
            }
        }
        return "/" + String.join("/", parts);
    }

    static boolean changesSize(Call call) {
        return call == Call.SYS_TRUNCATE
                || call == Call.SYS_FTRUNCATE
                || call == Call.SYS_FALLOCATE
                || call == Call.SYS_FICLONE
                || call == Call.SYS_FICLONERANGE;
    }

    /** Notes a size in the trace. It is the initial size unless an earlier call changed the file. */
    private static void sized(Node node, long size) {
        if (!node.changed && node.before.isPresent()) {
            node.size = Math.max(node.size, size);
        }
    }

    private Node made(String path, Kind kind) {
        parents(path);
        Node node = new Node(Optional.empty(), kind);
        node.changed = true;
        put(path, node);
        return node;
    }

    private void put(String path, Node node) {
        names.put(path, node);
        settled.add(path);
    }

    /** Returns the node that the trace found under a name; empty if it cannot be from before the recording. */
    private Optional<Node> found(String path, Kind kind) {
        if (!Sandbox.holds(path)) {
            return Optional.empty();
        }
        Node known = names.get(path);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<String> before = settled.contains(path)
                ? Optional.empty()
                : parents(path).map(directory -> directory + path.substring(path.lastIndexOf('/')));
        if (before.isEmpty()) {
            appeared.add(path);
            return Optional.empty();
        }
        Node node = new Node(before, kind);
        put(path, node);
        initial.add(node);
        return Optional.of(node);
    }

    /** Returns the name of a path's directory before the recording; empty if the recording made it. */
    private Optional<String> parents(String path) {
        int slash = path.lastIndexOf('/');
        if (slash <= 0) {
            return Optional.of("");
        }
        Optional<Node> parent = found(path.substring(0, slash), Kind.DIRECTORY);
        parent.filter(node -> node.kind == Kind.FILE && node.before.isPresent())
                .ifPresent(node -> node.kind = Kind.DIRECTORY);
        return parent.flatMap(node -> node.before);
    }

    private void move(String from, String to) {
        Node moved = names.remove(from);
        if (moved == null || !Sandbox.holds(to)) {
            return;
        }
        Map<String, Node> below = new TreeMap<>(names.subMap(from + "/", from + "0"));
        names.subMap(from + "/", from + "0").clear();
        parents(to);
        put(to, moved);
        below.forEach((name, node) -> put(to + name.substring(from.length()), node));
    }

    /** Returns the files that must exist, under the names that links lead to; directories come before their entries. */
    List<InitialFile> files() {
        Map<String, String> links = new HashMap<>();
        for (Node node : initial) {
            if (node.kind == Kind.LINK) {
                String path = node.before.orElseThrow();
                links.put(path, plain(node.target.startsWith("/") ? node.target : directory(path) + node.target));
            }
        }
        TreeMap<String, InitialFile> files = new TreeMap<>();
        for (Node node : initial) {
            String path = led(node.before.orElseThrow(), links);
            files.merge(
                    path,
                    new InitialFile(path, node.kind, Math.max(0, node.size), node.target, node.readTo),
                    (one, other) -> other.size() > one.size() ? other : one);
        }
        return List.copyOf(files.values());
    }

    private static String directory(String path) {
        return path.substring(0, path.lastIndexOf('/') + 1);
    }

    /** Resolves the links among a path's directories. A chain of more links than Linux follows stays as it is. */
    private static String led(String path, Map<String, String> links) {
        String result = path;
        for (int i = 0; i < MOST_LINKS; i++) {
            int slash = result.indexOf('/', 1);
            while (slash > 0 && !links.containsKey(result.substring(0, slash))) {
                slash = result.indexOf('/', slash + 1);
            }
            if (slash < 0) {
                return result;
            }
            result = links.get(result.substring(0, slash)) + result.substring(slash);
        }
        return path;
    }
}
