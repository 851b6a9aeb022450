// SPDX-License-Identifier: Apache-2.0
package io.packing.power;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A provider of a {@link PowerDisk} for {@link java.nio.file.Files} and {@link FileChannel}. */
final class DiskProvider extends FileSystemProvider {
    private final PowerDisk disk;

    DiskProvider(PowerDisk disk) {
        this.disk = disk;
    }

    @Override
    public String getScheme() {
        return "power";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> options) {
        throw new UnsupportedOperationException(uri.toString());
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw new UnsupportedOperationException(uri.toString());
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException(uri.toString());
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        DiskPath at = DiskPath.of(path);
        synchronized (disk) {
            boolean fresh = options.contains(StandardOpenOption.CREATE_NEW);
            Optional<DiskNode> there = disk.find(at);
            if (fresh && there.isPresent()) {
                throw new FileAlreadyExistsException(path.toString());
            }
            if (there.isEmpty() && (fresh || options.contains(StandardOpenOption.CREATE))) {
                disk.add(at, new FileNode(new byte[0]));
            }
            DiskChannel channel = new DiskChannel(disk, disk.get(at));
            if (options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
                channel.truncate(0);
            }
            return channel;
        }
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        List<Path> all = disk.list(DiskPath.of(directory)).stream()
                .map(directory::resolve)
                .toList();
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return all.iterator();
            }

            @Override
            public void close() {
                // The stream is a list.
            }
        };
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        disk.add(DiskPath.of(directory), new DirectoryNode());
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        disk.add(DiskPath.of(link), disk.get(DiskPath.of(existing)));
    }

    @Override
    public void delete(Path path) throws IOException {
        disk.remove(DiskPath.of(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
        throw new UnsupportedOperationException("copy " + source);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        if (!List.of(options).contains(StandardCopyOption.ATOMIC_MOVE)) {
            throw new UnsupportedOperationException("a move that is not atomic");
        }
        disk.move(DiskPath.of(source), DiskPath.of(target));
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return disk.get(DiskPath.of(path)) == disk.get(DiskPath.of(other));
    }

    @Override
    public boolean isHidden(Path path) {
        return false;
    }

    @Override
    public FileStore getFileStore(Path path) {
        return new DiskSpace();
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        DiskNode unused = disk.get(DiskPath.of(path));
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return null;
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return type.cast(new DiskAttributes(disk.get(DiskPath.of(path))));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
        throw new UnsupportedOperationException(attributes);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
        throw new UnsupportedOperationException(attribute);
    }
}
