package io.packing.cli.dedup;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * All that is at a path of a mount and below it, each directory before what is in it, in the order of listings. Holds one
 * page of each directory on the way to where it is. A directory that is deleted meanwhile has nothing in it.
 */
final class TreeWalk {
    private static final int PAGE = 1_000;

    /** Is told of every file and directory. */
    interface Visitor {
        void visit(FileStatus status) throws IOException;
    }

    private TreeWalk() {}

    /** @throws FileNotFoundException when nothing is at the path */
    static void walk(Bdt bdt, FilePath top, Visitor visitor) throws IOException {
        FileStatus first =
                bdt.stat(top).orElseThrow(() -> new FileNotFoundException(top + ": no such file or directory"));
        visitor.visit(first);
        Deque<Directory> open = new ArrayDeque<>();
        if (first.isDirectory()) {
            open.push(new Directory(bdt, top));
        }
        while (!open.isEmpty()) {
            Directory directory = open.element();
            if (!directory.hasNext()) {
                open.pop();
                continue;
            }
            FileStatus next = directory.next();
            visitor.visit(next);
            if (next.isDirectory()) {
                open.push(new Directory(bdt, next.path()));
            }
        }
    }

    /** What is left of a directory. */
    private static final class Directory {
        private final Bdt bdt;
        private final FilePath path;
        private Iterator<FileStatus> page = List.<FileStatus>of().iterator();
        private String last = "";

        Directory(Bdt bdt, FilePath path) {
            this.bdt = bdt;
            this.path = path;
        }

        boolean hasNext() throws IOException {
            if (!page.hasNext()) {
                page = bdt.list(path, last, PAGE).orElse(List.of()).iterator();
            }
            return page.hasNext();
        }

        FileStatus next() {
            FileStatus next = page.next();
            last = next.path().name();
            return next;
        }
    }
}
