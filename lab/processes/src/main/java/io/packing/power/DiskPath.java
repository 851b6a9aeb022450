// SPDX-License-Identifier: Apache-2.0
package io.packing.power;

import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A path on a {@link PowerDisk}. Names have the meaning that they have on the default file system. */
final class DiskPath implements Path {
    private final DiskFileSystem files;
    private final Path names;

    DiskPath(DiskFileSystem files, Path names) {
        this.files = files;
        this.names = names;
    }

    static DiskPath of(Path path) {
        if (path instanceof DiskPath disk) {
            return disk;
        }
        throw new ProviderMismatchException(path + " is not on this disk");
    }

    /** Returns the names from the root on. Each call of a disk asks, so that no path of the default file system is made for it. */
    List<String> names() {
        String text = names.toString();
        List<String> all = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int slash = text.indexOf('/', from);
            int to = slash < 0 ? text.length() : slash;
            String name = text.substring(from, to);
            if (name.equals("..")) {
                if (!all.isEmpty()) {
                    String unused = all.remove(all.size() - 1);
                }
            } else if (!name.isEmpty() && !name.equals(".")) {
                all.add(name);
            }
            from = to + 1;
        }
        return all;
    }

    private DiskPath with(Path other) {
        return new DiskPath(files, other);
    }

    private @Nullable DiskPath orNull(@Nullable Path other) {
        return other == null ? null : with(other);
    }

    @Override
    public FileSystem getFileSystem() {
        return files;
    }

    @Override
    public boolean isAbsolute() {
        return names.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
        return orNull(names.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
        return orNull(names.getFileName());
    }

    @Override
    public @Nullable DiskPath getParent() {
        return orNull(names.getParent());
    }

    @Override
    public int getNameCount() {
        return names.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return with(names.getName(index));
    }

    @Override
    public Path subpath(int from, int to) {
        return with(names.subpath(from, to));
    }

    @Override
    public boolean startsWith(Path other) {
        return names.startsWith(of(other).names);
    }

    @Override
    public boolean endsWith(Path other) {
        return names.endsWith(of(other).names);
    }

    @Override
    public DiskPath normalize() {
        return with(names.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return with(names.resolve(of(other).names));
    }

    @Override
    public Path relativize(Path other) {
        return with(names.relativize(of(other).names));
    }

    @Override
    public URI toUri() {
        throw new UnsupportedOperationException("a disk in memory has no URI: " + names);
    }

    @Override
    public DiskPath toAbsolutePath() {
        return isAbsolute() ? this : with(Path.of("/").resolve(names));
    }

    @Override
    public Path toRealPath(LinkOption... options) {
        return toAbsolutePath().normalize();
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException("cannot watch " + names);
    }

    @Override
    public int compareTo(Path other) {
        return names.compareTo(of(other).names);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DiskPath path && path.files == files && path.names.equals(names);
    }

    @Override
    public int hashCode() {
        return names.hashCode();
    }

    @Override
    public String toString() {
        return names.toString();
    }
}
