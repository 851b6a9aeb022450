package io.packing.cli.walk;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * All that is at a path of a mount and below it, each directory before what is in it, in the order of listings. Holds one
 * page of each directory on the way to where it is. A directory that is deleted meanwhile has nothing in it.
 */
public final class TreeWalk {
    private static final int PAGE = 1_000;

    /** Is told of every file and directory. */
    public interface Visitor {
        void visit(FileStatus status) throws IOException;
    }

    /** Is told of every file and directory, and where the bytes of files are. */
    public interface LocatedVisitor {
        void visit(ListedEntry entry) throws IOException;
    }

    /** Is told of a directory that cannot be listed, since the table contradicts itself. */
    public interface Unlistable {
        void tell(FilePath directory, IOException why) throws IOException;
    }

    /** A page of a directory. */
    private interface Pages {
        Optional<List<ListedEntry>> page(FilePath directory, String startAfter) throws IOException;
    }

    private TreeWalk() {}

    /**
     * Goes through a tree.
     *
     * @throws FileNotFoundException when nothing is at the path
     */
    public static void walk(Bdt bdt, FilePath top, Visitor visitor) throws IOException {
        FileStatus first = first(bdt, top);
        visitor.visit(first);
        Pages pages = (directory, startAfter) -> bdt.list(directory, startAfter, PAGE)
                .map(page -> page.stream()
                        .map(status -> new ListedEntry(status, Optional.empty()))
                        .toList());
        below(first, pages, entry -> visitor.visit(entry.status()));
    }

    /**
     * The same with the places of files.
     *
     * @throws FileNotFoundException when nothing is at the path
     */
    public static void located(Bdt bdt, FilePath top, LocatedVisitor visitor) throws IOException {
        located(bdt, top, visitor, (directory, why) -> {
            throw why;
        });
    }

    /**
     * The same where directories may be damaged.
     *
     * @throws FileNotFoundException when nothing is at the path
     */
    public static void located(Bdt bdt, FilePath top, LocatedVisitor visitor, Unlistable unlistable)
            throws IOException {
        FileStatus first = first(bdt, top);
        Optional<LocatedFile> file = first.isDirectory() ? Optional.empty() : bdt.locate(top);
        visitor.visit(new ListedEntry(file.map(LocatedFile::status).orElse(first), file.map(LocatedFile::placement)));
        Pages pages = (directory, startAfter) -> {
            try {
                return bdt.listLocated(directory, startAfter, PAGE);
            } catch (UnavailableException e) {
                throw e;
            } catch (IOException e) {
                unlistable.tell(directory, e);
                return Optional.empty();
            }
        };
        below(first, pages, visitor);
    }

    private static FileStatus first(Bdt bdt, FilePath top) throws IOException {
        return bdt.stat(top).orElseThrow(() -> new FileNotFoundException(top + ": no such file or directory"));
    }

    private static void below(FileStatus first, Pages pages, LocatedVisitor visitor) throws IOException {
        Deque<Directory> open = new ArrayDeque<>();
        if (first.isDirectory()) {
            open.push(new Directory(pages, first.path()));
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
                open.push(new Directory(pages, next.status().path()));
            }
        }
    }

    /** What is left of a directory. */
    private static final class Directory {
        private final Pages pages;
        private final FilePath path;
        private Iterator<ListedEntry> page = List.<ListedEntry>of().iterator();
        private String last = "";

        Directory(Pages pages, FilePath path) {
            this.pages = pages;
            this.path = path;
        }

        boolean hasNext() throws IOException {
            if (!page.hasNext()) {
                page = pages.page(path, last).orElse(List.of()).iterator();
            }
            return page.hasNext();
        }

        ListedEntry next() {
            ListedEntry next = page.next();
            last = next.status().path().name();
            return next;
        }
    }
}
