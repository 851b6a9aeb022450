// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.AccessMode;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.master.table.row.Inode;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;

/**
 * The target of an operation: the entry to which a path leads, the directory above it, and the rights of the caller to both. One walk has
 * found them ({@link Permissions#reach}). Immutable: after a change of what the path leads to, {@link #again} finds it anew.
 */
public final class Target {
    private final Permissions permissions;
    private final Namespace names;
    private final FilePath path;
    private final Permissions.Place above;
    private final ResolvedPath found;

    /** @param above the last directory above the path that is there; any one if the caller may do everything */
    Target(Permissions permissions, Namespace names, FilePath path, Permissions.Place above, ResolvedPath found) {
        this.permissions = permissions;
        this.names = names;
        this.path = path;
        this.above = above;
        this.found = found;
    }

    public FilePath path() {
        return path;
    }

    /** Returns the entry at the path, which may be a name of a file that has several. */
    public ResolvedPath found() {
        return found;
    }

    /** Returns the inode of the entry at the path; empty: there is none. */
    public Optional<Inode> inode() {
        return found.inode();
    }

    /** Returns the entry, or the file that it is a name of. */
    public ResolvedPath file() throws IOException {
        return names.follow(found);
    }

    /** Finds the entry at the path anew. */
    public Target again() throws IOException {
        return permissions.reach(names, path);
    }

    /** Refuses unless the entry, if there is one, may be used so. */
    public void need(int rights) throws IOException {
        if (permissions.isChecked()) {
            Optional<Inode> there = file().inode();
            if (there.isPresent()) {
                permissions.need(path, there.get().attributes(), rights);
            }
        }
    }

    /** Refuses unless a name may be made at the path, at which nothing is. */
    public void create() throws DeniedException {
        permissions.write(above);
    }

    /** Refuses unless a file may be made at the path, in the place of one that is there, if there is one. */
    public void createOrReplace() throws IOException {
        if (!permissions.isChecked()) {
            return;
        }
        Optional<Inode> there = file().inode().filter(inode -> !inode.isDirectory());
        if (there.isPresent()) {
            permissions.need(path, there.get().attributes(), AccessMode.WRITE);
            remove(there.get());
        } else {
            create();
        }
    }

    /**
     * Refuses unless the name may leave its directory.
     *
     * @param victim the file that the entry is, or is a name of
     */
    public void remove(Inode victim) throws DeniedException {
        permissions.unlink(above, path.value(), victim);
    }

    /** Returns the attributes of a new file at the path, given the ones that its maker asks for. It belongs to its maker. */
    public FileAttributes given(FileAttributes asked) throws DeniedException {
        return permissions.given(above, path, asked);
    }

    /** Returns the attributes of a new directory at the path, which belongs to its maker. */
    public DirectoryAttributes given(DirectoryAttributes asked) throws DeniedException {
        if (!permissions.isChecked()) {
            return asked;
        }
        FileAttributes given = given(new FileAttributes(0, 0, "", asked.group(), asked.mode()));
        return new DirectoryAttributes(given.owner(), given.group(), given.mode());
    }

    /** Returns the attributes of the file or directory at the path; empty: there is none. */
    public Optional<FileStatus> status() throws IOException {
        return names.status(path, file());
    }

    /** Returns the place of the file at the path; empty: there is none. */
    Optional<LocatedFile> located() throws IOException {
        return names.locate(path, file());
    }
}
