// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.copy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local file system without a process for each file. Hadoop's own runs {@code ls} to learn the mode of a file and {@code chmod} to
 * set it where it has no native library: of a copy of small files that is most of the work.
 */
public final class LocalFiles extends RawLocalFileSystem {
    private static final Logger LOG = LoggerFactory.getLogger(LocalFiles.class);
    /** Rights and the sticky bit, which are all that Hadoop has. */
    private static final int MODE = 01777;

    private static final String UNIX_MODE = "unix:mode";

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        try {
            return withMode(super.getFileStatus(path));
        } catch (NoSuchFileException e) {
            throw new FileNotFoundException("%s is gone".formatted(path));
        }
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        List<FileStatus> all = new ArrayList<>();
        for (FileStatus each : super.listStatus(path)) {
            try {
                all.add(withMode(each));
            } catch (NoSuchFileException e) {
                LOG.debug("{} was deleted while its directory was listed", each.getPath(), e);
            }
        }
        return all.toArray(FileStatus[]::new);
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        Files.setAttribute(pathToFile(path).toPath(), UNIX_MODE, permission.toShort() & MODE);
    }

    private FileStatus withMode(FileStatus status) throws IOException {
        if (status.isSymlink()) {
            return status;
        }
        java.nio.file.Path local = pathToFile(status.getPath()).toPath();
        // A link whose target is gone has the mode of the link, and is no file to copy.
        Object mode = Files.exists(local)
                ? Files.getAttribute(local, UNIX_MODE)
                : Files.getAttribute(local, UNIX_MODE, LinkOption.NOFOLLOW_LINKS);
        return new FileStatus(
                status.getLen(),
                status.isDirectory(),
                status.getReplication(),
                status.getBlockSize(),
                status.getModificationTime(),
                status.getAccessTime(),
                new FsPermission((short) ((Integer) mode & MODE)),
                null,
                null,
                status.getPath());
    }
}
