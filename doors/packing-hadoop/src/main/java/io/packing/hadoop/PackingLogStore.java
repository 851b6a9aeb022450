// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.delta.storage.HadoopFileSystemLogStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A log store of Delta Lake that makes the file of a version itself, if there is none. Any number of writers may commit to one table: the file
 * appears whole, at its close, for one of them. Delta's own store for unknown schemes writes a draft first and renames it.
 *
 * <p>A writer that loses the answer of its close finds its own file when it tries again. Such a commit has succeeded.
 */
public final class PackingLogStore extends HadoopFileSystemLogStore {
    /** @param configuration of the job, which Delta gives to each log store */
    public PackingLogStore(Configuration configuration) {
        super(configuration);
    }

    /**
     * Writes the actions of a version, a line each.
     *
     * @throws java.nio.file.FileAlreadyExistsException if another writer has committed the version
     */
    @Override
    public void write(Path path, Iterator<String> actions, Boolean overwrite, Configuration configuration)
            throws IOException {
        // All of them first: a file that is closed after a failure of the iterator would be a version without its end.
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        while (actions.hasNext()) {
            lines.writeBytes(actions.next().getBytes(StandardCharsets.UTF_8));
            lines.write('\n');
        }
        byte[] content = lines.toByteArray();
        FileSystem files = path.getFileSystem(configuration);
        try (FSDataOutputStream out = files.create(path, overwrite)) {
            out.write(content);
        } catch (FileAlreadyExistsException e) {
            if (!has(files, path, content)) {
                java.nio.file.FileAlreadyExistsException refused =
                        new java.nio.file.FileAlreadyExistsException(path.toString());
                refused.initCause(e);
                throw refused;
            }
        }
    }

    private static boolean has(FileSystem files, Path path, byte[] content) throws IOException {
        FileStatus status = files.getFileStatus(path);
        if (status.getLen() != content.length) {
            return false;
        }
        byte[] found = new byte[content.length];
        try (FSDataInputStream in = files.open(path)) {
            in.readFully(0, found);
        }
        return Arrays.equals(found, content);
    }

    @Override
    public Boolean isPartialWriteVisible(Path path, Configuration configuration) {
        return false;
    }
}
