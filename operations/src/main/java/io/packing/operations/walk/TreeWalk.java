// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.walk;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.ListedPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.table.Waiting;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * All that is at a path of a mount and below it, each directory before what is in it, in the order of listings. Holds some
 * pages of each directory on the way to where it is. A directory that is deleted meanwhile has nothing in it.
 */
public final class TreeWalk {
    private static final int PAGE = 1_000;
    /** The next page of this directory, and the first of the next one. */
    private static final int AHEAD_THREADS = 2;

    /** A visitor of every file and directory. */
    public interface Visitor {
        void visit(FileStatus status) throws IOException;
    }

    /** A visitor of every file and directory, with the places of files' bytes. */
    public interface LocatedVisitor {
        void visit(ListedEntry entry) throws IOException;
    }

    /** A listener for directories that cannot be listed, since the table contradicts itself. */
    public interface Unlistable {
        void tell(FilePath directory, IOException why) throws IOException;
    }

    /** A page of a directory, fetched or awaited on demand. */
    private interface Page {
        Optional<ListedPage> get() throws IOException;
    }

    /** Asks for pages of directories. */
    private interface Pages {
        Page page(FilePath directory, String startAfter);
    }

    private TreeWalk() {}

    /**
     * Goes through a tree.
     *
     * @throws FileNotFoundException when nothing is at the path
     */
    public static void walk(BdtLookups bdt, FilePath top, Visitor visitor) throws IOException {
        FileStatus first = first(bdt, top);
        visitor.visit(first);
        // Each page is listed on demand: the visitor may change entries that are still ahead.
        Pages pages = (directory, startAfter) -> () -> bdt.list(directory, startAfter, PAGE)
                .map(page -> new ListedPage(
                        page.stream()
                                .map(status -> new ListedEntry(status, Optional.empty()))
                                .toList(),
                        false));
        below(first, pages, entry -> visitor.visit(entry.status()));
    }

    /**
     * Walks with the places of files.
     *
     * @throws FileNotFoundException when nothing is at the path
     */
    public static void located(BdtLookups bdt, FilePath top, LocatedVisitor visitor) throws IOException {
        located(bdt, top, visitor, (directory, why) -> {
            throw why;
        });
    }

    /**
     * Walks with the places of files, and past directories that cannot be listed.
     *
     * @throws FileNotFoundException when nothing is at the path
     */
    public static void located(BdtLookups bdt, FilePath top, LocatedVisitor visitor, Unlistable unlistable)
            throws IOException {
        FileStatus first = first(bdt, top);
        Optional<LocatedFile> file = first.isDirectory() ? Optional.empty() : bdt.locate(top);
        visitor.visit(new ListedEntry(file.map(LocatedFile::status).orElse(first), file.map(LocatedFile::placement)));
        ExecutorService executor = Executors.newFixedThreadPool(AHEAD_THREADS, task -> {
            Thread thread = new Thread(task, "walk-ahead");
            thread.setDaemon(true);
            return thread;
        });
        Pages pages = (directory, startAfter) -> {
            Future<Optional<ListedPage>> page = executor.submit(() -> page(bdt, directory, startAfter, unlistable));
            return () -> Waiting.on(page);
        };
        try {
            below(first, pages, visitor);
        } finally {
            executor.shutdownNow();
        }
    }

    private static Optional<ListedPage> page(
            BdtLookups bdt, FilePath directory, String startAfter, Unlistable unlistable) throws IOException {
        try {
            return bdt.listLocated(directory, startAfter, PAGE);
        } catch (UnavailableException e) {
            throw e;
        } catch (IOException e) {
            unlistable.tell(directory, e);
            return Optional.empty();
        }
    }

    private static FileStatus first(BdtLookups bdt, FilePath top) throws IOException {
        return bdt.stat(top).orElseThrow(() -> new FileNotFoundException(top + ": no such file or directory"));
    }

    private static void below(FileStatus first, Pages pages, LocatedVisitor visitor) throws IOException {
        Deque<Directory> open = new ArrayDeque<>();
        if (first.isDirectory()) {
            open.push(new Directory(pages, first.path(), pages.page(first.path(), "")));
        }
        while (!open.isEmpty()) {
            Directory directory = open.element();
            if (!directory.hasNext()) {
                open.pop();
                continue;
            }
            ListedEntry next = directory.next();
            visitor.visit(next);
            if (next.status().isDirectory()) {
                open.push(directory.child(next.status().path()));
            }
        }
    }

    /** The rest of a directory. The page after this one, and that of the next directory in it, are on their way. */
    private static final class Directory {
        private final Pages pages;
        private final FilePath path;
        private Page next;
        private List<ListedEntry> page = List.of();
        private int at;
        private boolean ended;
        private Optional<FilePath> aheadOf = Optional.empty();
        private Page ahead = Optional::empty;

        /** @param first the first page, which was asked for */
        Directory(Pages pages, FilePath path, Page first) {
            this.pages = pages;
            this.path = path;
            this.next = first;
        }

        boolean hasNext() throws IOException {
            if (at == page.size() && !ended) {
                ListedPage told = next.get().orElse(ListedPage.END);
                page = told.entries();
                at = 0;
                ended = told.isLast();
                if (!ended) {
                    next = pages.page(
                            path, page.get(page.size() - 1).status().path().name());
                }
            }
            return at < page.size();
        }

        ListedEntry next() {
            return page.get(at++);
        }

        /** An entry that was just returned. */
        Directory child(FilePath child) {
            Page first = aheadOf.equals(Optional.of(child)) ? ahead : pages.page(child, "");
            aheadOf = nextDirectory();
            if (aheadOf.isPresent()) {
                ahead = pages.page(aheadOf.get(), "");
            }
            return new Directory(pages, child, first);
        }

        private Optional<FilePath> nextDirectory() {
            return page.subList(at, page.size()).stream()
                    .map(ListedEntry::status)
                    .filter(FileStatus::isDirectory)
                    .map(FileStatus::path)
                    .findFirst();
        }
    }
}
