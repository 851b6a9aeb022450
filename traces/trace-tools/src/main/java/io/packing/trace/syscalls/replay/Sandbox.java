// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The directory that replaces a trace's {@code /}. No path of a trace leads out of it: {@code ..} ends at the root,
 * absolute links lead below the root, and a path whose directory is outside through links is refused.
 */
final class Sandbox {
    /** The kernel's interfaces that look like files: a replay cannot make them. */
    private static final String[] KERNEL = {"/proc", "/sys", "/dev"};

    private static final String SHARED_MEMORY = "/dev/shm";

    /** A path that leads out of the root. */
    static final class OutsideException extends IOException {
        private static final long serialVersionUID = 1;

        OutsideException(String path) {
            super(path + " leads out of the root");
        }
    }

    private final Path root;
    private boolean links;

    /** @param root an existing directory */
    Sandbox(Path root) throws IOException {
        this.root = root.toRealPath();
    }

    Path root() {
        return root;
    }

    /** Returns whether a path of a trace is absolute, and not an interface of the kernel. */
    static boolean holds(String path) {
        if (!path.startsWith("/")) {
            return false;
        }
        if (isBelow(path, SHARED_MEMORY)) {
            return true;
        }
        for (String kernel : KERNEL) {
            if (isBelow(path, kernel)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBelow(String path, String directory) {
        return path.startsWith(directory)
                && (path.length() == directory.length() || path.charAt(directory.length()) == '/');
    }

    /** Returns the place of a trace's path; its last name may be a link. */
    Path at(String path) throws IOException {
        Path place = plain(path);
        if (links) {
            requireInside(path, place);
        }
        return place;
    }

    /** Returns the place of a trace's path for a call that follows links; its target must be inside. */
    Path through(String path) throws IOException {
        Path place = at(path);
        if (links && Files.isSymbolicLink(place)) {
            Path target = place;
            try {
                target = place.toRealPath();
            } catch (NoSuchFileException e) {
                // The link's target does not exist: a call through the link would make it.
                Path named = Files.readSymbolicLink(place);
                target = place.resolveSibling(named).normalize();
            }
            if (!target.startsWith(root)) {
                throw new OutsideException(path);
            }
        }
        return place;
    }

    private void requireInside(String path, Path place) throws IOException {
        Path parent = place.equals(root)
                ? root
                : Optional.ofNullable(place.getParent()).orElse(root);
        while (!Files.exists(parent, LinkOption.NOFOLLOW_LINKS) && !parent.equals(root)) {
            parent = Optional.ofNullable(parent.getParent()).orElse(root);
        }
        if (!parent.toRealPath().startsWith(root)) {
            throw new OutsideException(path);
        }
    }

    private Path plain(String path) throws IOException {
        Deque<String> names = new ArrayDeque<>();
        for (String name : path.split("/", -1)) {
            if (name.equals("..")) {
                names.pollLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.addLast(PathBytes.name(name));
            }
        }
        try {
            return names.isEmpty() ? root : root.resolve(String.join("/", names));
        } catch (InvalidPathException e) {
            throw new IOException("%s cannot be a name on this machine: %s".formatted(path, e.getReason()), e);
        }
    }

    /**
     * Returns a text for a link that leads to the recorded place below the root.
     *
     * @param link path of the link in the trace
     * @param text of the link in the trace
     */
    Path linkText(String link, String text) throws IOException {
        links = true;
        if (text.startsWith("/")) {
            return plain(text);
        }
        int depth = 0;
        for (String name : link.split("/", -1)) {
            depth += name.isEmpty() ? 0 : 1;
        }
        // The link's own name is no directory.
        depth--;
        for (String name : text.split("/", -1)) {
            depth += name.equals("..") ? -1 : name.isEmpty() || name.equals(".") ? 0 : 1;
            if (depth < 0) {
                throw new OutsideException(link);
            }
        }
        return Path.of(PathBytes.name(text));
    }
}
