// SPDX-License-Identifier: Apache-2.0
package io.packing.durable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;

/**
 * Directories and files that only the user of the process may read, with any umask: modes 0700 and 0600. On a file
 * system without modes they have none.
 */
public final class OwnerOnly {
    private static final System.Logger LOG = System.getLogger(OwnerOnly.class.getName());
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    /** The sticky bit of directories that all users share, such as {@code /tmp}. */
    private static final int STICKY = 01000;

    private static final int ROOT = 0;

    private OwnerOnly() {}

    private static boolean hasModes(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /**
     * Makes a directory, or takes the rights of other users from an existing one, with a message. Entries in it may
     * have any modes then, since no other user reaches them.
     *
     * @return the directory
     * @throws IOException when the path leads over an entry of another user in a directory that all users share
     */
    public static Path directory(Path directory) throws IOException {
        if (!hasModes(directory)) {
            return Files.createDirectories(directory);
        }
        checkWay(directory);
        if (Files.isDirectory(directory)) {
            tighten(directory);
            return directory;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            return Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(DIRECTORY));
        } catch (FileAlreadyExistsException e) {
            // Another thread was faster; if the path is a file, this throws.
            return Files.createDirectories(directory);
        }
    }

    /**
     * Refuses a path with a component in a shared directory that neither this user nor root put there: its owner could
     * replace it.
     */
    private static void checkWay(Path directory) throws IOException {
        Path at = directory.toAbsolutePath().normalize();
        for (Path above = at.getParent(); above != null; above = above.getParent()) {
            if (Files.exists(at, LinkOption.NOFOLLOW_LINKS) && isShared(above) && !isTrusted(at, above)) {
                throw new IOException(
                        ("%s is a link or a directory of another user, in a directory of all users: it is another user's to"
                                        + " choose what is there; remove it, or name another folder")
                                .formatted(at));
            }
            at = above;
        }
    }

    private static boolean isTrusted(Path there, Path shared) throws IOException {
        int owner = (Integer) Files.getAttribute(there, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        return owner == ROOT
                || Files.getOwner(there, LinkOption.NOFOLLOW_LINKS).equals(own(shared.resolve(there.getFileName())));
    }

    private static void tighten(Path directory) throws IOException {
        Set<PosixFilePermission> now = Files.getPosixFilePermissions(directory);
        Set<PosixFilePermission> others = EnumSet.copyOf(DIRECTORY);
        others.addAll(now);
        others.removeAll(DIRECTORY);
        if (others.isEmpty()) {
            return;
        }
        String mode = PosixFilePermissions.toString(now);
        if (isShared(directory)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is a directory of all users ({1}), and stays so: configure a directory of its own",
                    directory,
                    mode);
            return;
        }
        try {
            Files.setPosixFilePermissions(directory, DIRECTORY);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "other users could enter {0} ({1}): only the user of this process may now (0700)",
                    directory,
                    mode);
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "other users can enter {0} ({1}), and this process cannot change that ({2}): make it 0700",
                    directory,
                    mode,
                    e.toString());
        }
    }

    private static boolean isShared(Path directory) throws IOException {
        return directory.getFileSystem().supportedFileAttributeViews().contains("unix")
                && ((Integer) Files.getAttribute(directory, "unix:mode") & STICKY) != 0;
    }

    /** Opens a file; a new one has mode 0600. */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), attributes(file));
    }

    private static FileAttribute<?>[] attributes(Path file) {
        return hasModes(file)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FILE)}
                : new FileAttribute<?>[0];
    }

    /**
     * Makes a directory of a known name in a directory that all users share, or takes an existing one of this user.
     *
     * @throws IOException when the name is a link, or another user's, who could then choose what this process reads
     *     there
     */
    public static Path inShared(Path directory) throws IOException {
        if (!hasModes(directory)) {
            return Files.createDirectories(directory);
        }
        try {
            return Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(DIRECTORY));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    || !Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(own(directory))) {
                throw new IOException(
                        "%s is a link, or another user's: remove it, or name another folder".formatted(directory), e);
            }
            tighten(directory);
            return directory;
        }
    }

    /** Returns the user who owns the files that this process makes. */
    private static UserPrincipal own(Path beside) throws IOException {
        Path probe = Files.createTempFile(beside.toAbsolutePath().getParent(), "packing-owner", "");
        try {
            return Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
    }
}
