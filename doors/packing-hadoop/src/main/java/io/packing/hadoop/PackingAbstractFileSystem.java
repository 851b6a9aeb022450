// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** The file system for {@code FileContext}: {@code fs.AbstractFileSystem.packing.impl} names this class. */
public final class PackingAbstractFileSystem extends DelegateToFileSystem {
    private final RenamingFileSystem files;

    /** A file system with the rename that {@code FileSystem} shows to its own kind only. */
    private static final class RenamingFileSystem extends FilterFileSystem {
        RenamingFileSystem(FileSystem files) {
            super(files);
        }

        void renameAtOnce(Path source, Path destination, Options.Rename option) throws IOException {
            rename(source, destination, option);
        }
    }

    public PackingAbstractFileSystem(URI uri, Configuration configuration) throws IOException, URISyntaxException {
        // Hadoop's cached instance, because callers do not close a FileContext: connections of its own would add up. An
        // authority is needed, too, but to say so here asks for a default port, and a BDT master has none.
        this(uri, new RenamingFileSystem(FileSystem.get(uri, configuration)), configuration);
    }

    private PackingAbstractFileSystem(URI uri, RenamingFileSystem files, Configuration configuration)
            throws IOException, URISyntaxException {
        super(uri, files, configuration, PackingHadoopFileSystem.SCHEME, false);
        this.files = files;
    }

    /** Renames in one request. Hadoop's own looks first whether something is there, and with {@code overwrite} deletes it. */
    @Override
    public void renameInternal(Path source, Path destination, boolean overwrite) throws IOException {
        checkPath(source);
        checkPath(destination);
        files.renameAtOnce(source, destination, overwrite ? Options.Rename.OVERWRITE : Options.Rename.NONE);
    }

    @Override
    public void renameInternal(Path source, Path destination) throws IOException {
        renameInternal(source, destination, false);
    }

    @Override
    public Path createSnapshot(Path directory, @Nullable String name) throws IOException {
        return files.createSnapshot(directory, name);
    }

    @Override
    public void renameSnapshot(Path directory, String from, String to) throws IOException {
        files.renameSnapshot(directory, from, to);
    }

    @Override
    public void deleteSnapshot(Path directory, String name) throws IOException {
        files.deleteSnapshot(directory, name);
    }
}
