// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.s3gateway.protocol.Utf8Order;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The entries of one directory in the order of their keys. A directory's key ends with a slash, so that the directory {@code a} lies behind the
 * file {@code a-b}, although its name lies before. Entries whose key lies behind their name wait until the names have come so far. The two
 * escaped names whose parts lie before them are looked up first. Confined to one thread.
 */
final class WalkedDirectory {
    /** The part behind which no part lies before its name. */
    private static final String LAST_EARLY_NAME = ".%2F";

    /**
     * An entry, or the object within a directory that has the directory's key.
     *
     * @param order the part of the key, with a slash if it is a directory's
     * @param isDirectory true if keys follow below it
     */
    record Child(String order, FileStatus status, boolean isDirectory) {}

    private final DirectorySource source;
    private final FilePath path;
    private final int page;
    private final Deque<FileStatus> unread = new ArrayDeque<>();
    private final PriorityQueue<Child> waiting =
            new PriorityQueue<>(Comparator.comparing(Child::order, Utf8Order.INSTANCE));
    /** Names that were looked up out of their turn. */
    private final Set<String> early = new HashSet<>();

    private String after;
    private boolean isListed;

    private WalkedDirectory(DirectorySource source, FilePath path, String after, int page) {
        this.source = source;
        this.path = path;
        this.after = after;
        this.page = page;
    }

    /**
     * Opens a directory.
     *
     * @param from the beginning of the keys that are wanted, relative to the directory; earlier ones may come, too
     * @param page the most entries of one request
     */
    static WalkedDirectory open(DirectorySource source, FilePath path, String from, int page) throws IOException {
        int slash = from.indexOf('/');
        String part = slash < 0 ? from : from.substring(0, slash);
        if (from.isEmpty()) {
            WalkedDirectory all = new WalkedDirectory(source, path, "", page);
            all.fill();
            all.readEarlyNames();
            return all;
        }
        // An escaped name lies elsewhere than its part; those with a mark in the part keep their order.
        String after = part.startsWith(KeyPaths.MARK) ? KeyPaths.encode(part) : part;
        WalkedDirectory rest = new WalkedDirectory(source, path, after, page);
        rest.lookUp(beginnings(part));
        return rest;
    }

    /** Returns the parts before a given one, in the order of names, whose keys may lie behind it. */
    private static Set<String> beginnings(String part) {
        Set<String> parts = new LinkedHashSet<>(List.of(part, ".", "..", FilePath.SNAPSHOTS));
        for (int end = 0; end < part.length(); end++) {
            if (part.charAt(end) < '/') {
                parts.add(part.substring(0, end));
            }
        }
        return parts;
    }

    private void lookUp(Set<String> parts) throws IOException {
        List<FilePath> paths = new ArrayList<>();
        for (String part : parts) {
            String name = KeyPaths.encode(part);
            early.add(name);
            paths.add(path.child(name));
        }
        for (FileStatus found : source.find(paths)) {
            add(found);
        }
    }

    /** Finds the names whose parts lie before them: in the first page, unless it ends before. */
    private void readEarlyNames() throws IOException {
        boolean isPassed = isListed
                || (!unread.isEmpty()
                        && Utf8Order.INSTANCE.compare(unread.getLast().path().name(), LAST_EARLY_NAME) >= 0);
        Set<String> parts = Set.of("", ".");
        if (!isPassed) {
            lookUp(parts);
            return;
        }
        for (FileStatus each : unread) {
            String name = each.path().name();
            if (name.startsWith(KeyPaths.MARK)
                    && KeyPaths.decode(name).filter(parts::contains).isPresent()) {
                early.add(name);
                add(each);
            }
        }
    }

    /** Returns the next entry; empty at the end. */
    Optional<Child> next() throws IOException {
        while (true) {
            if (unread.isEmpty() && !isListed) {
                fill();
            }
            Child first = waiting.peek();
            boolean isNext = first != null
                    && (unread.isEmpty()
                            || Utf8Order.INSTANCE.compare(
                                            first.order(),
                                            unread.element().path().name())
                                    <= 0);
            if (isNext) {
                return Optional.ofNullable(waiting.poll());
            }
            if (unread.isEmpty()) {
                return Optional.empty();
            }
            FileStatus read = unread.remove();
            if (!early.contains(read.path().name())) {
                add(read);
            }
        }
    }

    private void add(FileStatus entry) throws IOException {
        Optional<String> part = KeyPaths.decode(entry.path().name());
        if (part.isEmpty()) {
            return;
        }
        if (UserMount.isPlainFile(entry)) {
            waiting.add(new Child(part.get(), entry, false));
        } else if (entry.isDirectory()) {
            waiting.add(new Child(part.get() + "/", entry, true));
            if (entry.extras().hasExtended()) {
                // Only a directory with an attribute may have an object of its own key.
                for (FileStatus self : source.find(List.of(KeyPaths.self(entry.path())))) {
                    waiting.add(new Child(part.get(), self, false));
                }
            }
        }
    }

    private void fill() throws IOException {
        List<FileStatus> read = source.list(path, after, page).orElse(List.of());
        isListed = read.size() < page;
        unread.addAll(read);
        after = read.isEmpty() ? after : read.get(read.size() - 1).path().name();
    }
}
