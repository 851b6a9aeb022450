// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls.replay;

import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.nio.file.AccessMode;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** The calls of a replay that name paths. */
final class NameOperations {
    private final Sandbox sandbox;

    NameOperations(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    void rename(TraceEvent event) throws IOException {
        Path from = sandbox.at(event.path());
        Path to = sandbox.at(event.target());
        if (event.hints().contains("RENAME_EXCHANGE")) {
            Path between = from.resolveSibling(".replay-exchange");
            move(to, between);
            move(from, to);
            move(between, from);
            return;
        }
        if (event.hints().contains("RENAME_NOREPLACE") && exists(to)) {
            throw new FileAlreadyExistsException(to.toString());
        }
        move(from, to);
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    void link(TraceEvent event) throws IOException {
        Files.createLink(sandbox.at(event.target()), sandbox.at(event.path()));
    }

    void symlink(TraceEvent event) throws IOException {
        Files.createSymbolicLink(sandbox.at(event.path()), sandbox.linkText(event.path(), event.target()));
    }

    void remove(TraceEvent event) throws IOException {
        Path path = sandbox.at(event.path());
        boolean directory = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        if (InitialTree.removesDirectory(event) && exists(path) && !directory) {
            throw new NotDirectoryException(path.toString());
        }
        if (!InitialTree.removesDirectory(event) && directory) {
            throw new FileSystemException(path.toString(), null, "Is a directory");
        }
        Files.delete(path);
    }

    void makeDirectory(TraceEvent event) throws IOException {
        Files.createDirectory(sandbox.at(event.path()));
    }

    void makeFile(TraceEvent event) throws IOException {
        Files.createFile(sandbox.at(event.path()));
    }

    /**
     * Reads the status of a file.
     *
     * @return its length; {@link TraceEvent#NONE} for other kinds
     */
    long status(TraceEvent event, boolean ofLink) throws IOException {
        Path path = ofLink ? sandbox.at(event.path()) : sandbox.through(event.path());
        LinkOption[] options = ofLink ? new LinkOption[] {LinkOption.NOFOLLOW_LINKS} : new LinkOption[0];
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class, options);
        return attributes.isRegularFile() ? attributes.size() : TraceEvent.NONE;
    }

    /** Checks access to a file. Permissions are not replayed, so this mainly checks that it exists. */
    void access(TraceEvent event) throws IOException {
        Path path = sandbox.through(event.path());
        path.getFileSystem().provider().checkAccess(path);
        if (event.hints().contains("R_OK")) {
            path.getFileSystem().provider().checkAccess(path, AccessMode.READ);
        }
    }

    void readLink(TraceEvent event) throws IOException {
        Path path = sandbox.at(event.path());
        if (exists(path) && !Files.isSymbolicLink(path)) {
            throw new NotLinkException(path.toString());
        }
        Files.readSymbolicLink(path);
    }

    /** Makes the files that must exist before the first call. */
    static long prepare(Sandbox sandbox, List<InitialFile> files) throws IOException {
        long bytes = 0;
        for (InitialFile file : files) {
            Path path = sandbox.at(file.path());
            if (file.kind() == InitialFile.Kind.DIRECTORY) {
                Files.createDirectories(path);
            } else {
                Path parent = path.getParent();
                if (parent != null) {
                    Files.createDirectories(parent);
                }
                bytes += file.kind() == InitialFile.Kind.LINK ? 0 : InitialContent.write(path, file);
            }
        }
        // Links come last: the files made before them must not depend on their targets.
        for (InitialFile file : files) {
            if (file.kind() == InitialFile.Kind.LINK) {
                link(sandbox, file);
            }
        }
        return bytes;
    }

    private static void link(Sandbox sandbox, InitialFile file) throws IOException {
        Path path = sandbox.at(file.path());
        try {
            Files.createSymbolicLink(path, sandbox.linkText(file.path(), file.target()));
        } catch (Sandbox.OutsideException e) {
            // The target is outside of the root, so a file replaces the link. Calls through it end otherwise, and are
            // reported.
            Files.createFile(path);
        }
    }
}
