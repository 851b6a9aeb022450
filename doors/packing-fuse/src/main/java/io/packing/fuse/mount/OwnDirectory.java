// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.mount;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Directories that only the user of this process may enter. No link is followed to them. */
public final class OwnDirectory {
    private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> AS_OWN = PosixFilePermissions.asFileAttribute(OWN);
    private static final FileAttribute<Set<PosixFilePermission>> AS_OWN_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<PosixFilePermission> WRITE_OF_OTHERS =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    private static final int STICKY = 01000;
    private static final int ROOT = 0;

    private OwnDirectory() {}

    /**
     * Makes the state directory of a mount, or takes over one that a mount had before: an older version left it open to others.
     *
     * @throws IOException when it is a link, another user's, or open to others and has something else in it
     */
    public static Path ofState(Path directory) throws IOException {
        make(directory);
        if (isOpen(directory)) {
            // Where other users could write, the present files may be theirs.
            if (othersWrite(directory) || !isStateOrEmpty(directory)) {
                throw new IOException(
                        "%s is open to other users and is no state of a mount: name a directory that is not there, or chmod 700 it"
                                .formatted(directory));
            }
            Files.setPosixFilePermissions(directory, OWN);
        }
        return directory;
    }

    /** Makes a file that only its owner may read, unless it is there. */
    static void makeFile(Path file) throws IOException {
        try {
            Files.createFile(file, AS_OWN_FILE);
        } catch (FileAlreadyExistsException e) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
    }

    /**
     * Makes a directory to mount on, and the one above it, which hides the mount. An existing directory above stays as
     * it is: it may have other users' files in it, which must not vanish for them.
     *
     * @throws IOException when users other than this process's may enter the directory above, or put another one in its place
     */
    public static void hide(Path mountPoint) throws IOException {
        Path above = Optional.ofNullable(mountPoint.getParent())
                .orElseThrow(() -> new IOException("/ has no directory above it that hides the mount"));
        make(above);
        if (isOpen(above)) {
            throw new IOException(
                    "other users may enter %s (%s), so that they could reach the images in %s by path: chmod 700 %s, or mount on a directory of one that is not there yet"
                            .formatted(
                                    above,
                                    PosixFilePermissions.toString(Files.getPosixFilePermissions(above)),
                                    mountPoint,
                                    above));
        }
        for (Path each = above.toRealPath().getParent(); each != null; each = each.getParent()) {
            checkPlace(each, above);
        }
        if (!Files.isDirectory(mountPoint, LinkOption.NOFOLLOW_LINKS) && !KernelMountTable.isDead(mountPoint)) {
            Files.createDirectory(mountPoint, AS_OWN);
        }
    }

    /** Refuses a directory in which users other than root and this process's could replace entries. */
    private static void checkPlace(Path directory, Path hidden) throws IOException {
        int mode = (Integer) attribute(directory, "mode");
        boolean isShared = othersWrite(directory) && (mode & STICKY) == 0;
        int owner = (Integer) attribute(directory, "uid");
        if (isShared || (owner != ROOT && owner != self())) {
            throw new IOException(
                    "%s is another user's to change, who could put another directory in the place of %s: mount below directories of root"
                            .formatted(directory, hidden));
        }
    }

    private static void make(Path directory) throws IOException {
        Path above = directory.getParent();
        if (above != null) {
            Files.createDirectories(above);
        }
        try {
            Files.createDirectory(directory, AS_OWN);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException(directory + " is no directory, or a link to one: name the directory itself", e);
            }
        }
        if ((Integer) attribute(directory, "uid") != self()) {
            throw new IOException("%s is another user's: choose another directory".formatted(directory));
        }
    }

    private static boolean isOpen(Path directory) throws IOException {
        return !OWN.containsAll(Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS));
    }

    private static boolean othersWrite(Path directory) throws IOException {
        return Files.getPosixFilePermissions(directory).stream().anyMatch(WRITE_OF_OTHERS::contains);
    }

    private static boolean isStateOrEmpty(Path directory) throws IOException {
        if (Files.exists(directory.resolve(FuseMount.LOCK_FILE), LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.findAny().isEmpty();
        }
    }

    private static Object attribute(Path file, String name) throws IOException {
        return Files.getAttribute(file, "unix:" + name, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns the number of the user whose process this is. */
    private static int self() throws IOException {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }
}
