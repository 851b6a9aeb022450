// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The files of this machine before a recording. Those of some trees are listed before it begins. Any other file keeps
 * its state while its attributes have not changed since (§2.2).
 */
final class InitialFiles implements InitialState {
    /** The most files to list; further ones count as those outside the trees. */
    static final int MOST_ENTRIES = 100_000;

    private static final List<String> WITHOUT_SIZES = List.of("/proc/", "/sys/");

    private final Map<String, Entry> entries = new TreeMap<>();
    private final List<String> covered = new ArrayList<>();
    private final FileTime start;
    private boolean whole = true;

    private InitialFiles(FileTime start) {
        this.start = start;
    }

    /**
     * Lists trees.
     *
     * @param start a time of the file systems' clock before the command starts
     */
    static InitialFiles of(List<Path> trees, FileTime start) throws IOException {
        InitialFiles snapshot = new InitialFiles(start);
        for (Path tree : trees) {
            snapshot.list(tree.toRealPath());
        }
        return snapshot;
    }

    private void list(Path tree) throws IOException {
        Object device = Files.getAttribute(tree, "unix:dev");
        boolean[] all = {true};
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                add(directory, attributes);
                return Files.getAttribute(directory, "unix:dev").equals(device)
                        ? next(all)
                        : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                add(file, attributes);
                return next(all);
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                // The file is gone by now, or this process may not read it.
                return FileVisitResult.CONTINUE;
            }
        });
        if (all[0]) {
            covered.add(tree.toString());
        } else {
            whole = false;
        }
    }

    private FileVisitResult next(boolean[] all) {
        all[0] = entries.size() < MOST_ENTRIES;
        return all[0] ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
    }

    private void add(Path path, BasicFileAttributes attributes) {
        entries.put(text(path), entry(path, attributes));
    }

    private static Entry entry(Path path, BasicFileAttributes attributes) {
        if (attributes.isRegularFile()) {
            return new Entry(Kind.FILE, attributes.size(), "");
        }
        if (attributes.isSymbolicLink()) {
            return new Entry(Kind.LINK, 0, target(path));
        }
        return new Entry(attributes.isDirectory() ? Kind.DIR : Kind.OTHER, 0, "");
    }

    private static String target(Path link) {
        try {
            return text(Files.readSymbolicLink(link));
        } catch (IOException e) {
            // The link is gone by now.
            return "";
        }
    }

    private static String text(Path path) {
        byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        return PathText.of(bytes, bytes.length);
    }

    /** Returns the files of the trees. */
    Map<String, Entry> entries() {
        return entries;
    }

    /** Returns whether all files of the trees were listed. */
    boolean isWhole() {
        return whole;
    }

    @Override
    public boolean covers(String path) {
        for (String tree : covered) {
            if (path.startsWith(tree) && (path.length() == tree.length() || path.charAt(tree.length()) == '/')) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean isListed(String path) {
        return entries.containsKey(path);
    }

    @Override
    public Optional<Entry> of(String path) {
        Entry listed = entries.get(path);
        if (listed != null) {
            return Optional.of(listed);
        }
        if (covers(path) || path.indexOf('\\') >= 0 || WITHOUT_SIZES.stream().anyMatch(path::startsWith)) {
            return Optional.empty();
        }
        return unchanged(path);
    }

    /** Returns the current state of a path, if it has not changed since the recording began. */
    private Optional<Entry> unchanged(String path) {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(Path.of(path), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            FileTime changed = (FileTime) Files.getAttribute(Path.of(path), "unix:ctime", LinkOption.NOFOLLOW_LINKS);
            return changed.compareTo(start) < 0 ? Optional.of(entry(Path.of(path), attributes)) : Optional.empty();
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
    }
}
