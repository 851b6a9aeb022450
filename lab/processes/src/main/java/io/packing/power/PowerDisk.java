// SPDX-License-Identifier: Apache-2.0
package io.packing.power;

import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A disk in memory that can lose power. Its {@link #root} is a path like any other, and {@link #afterLoss} is the disk
 * that the machine's next start finds.
 *
 * <p>As in POSIX, a force of a file makes its bytes and length stable, and a force of a directory its names. Nothing
 * else is stable. Thread-safe.
 */
public final class PowerDisk {
    /** A listener to forces. The power may be lost before and after each of them. */
    public interface Forcing {
        void at(PowerDisk disk) throws IOException;
    }

    private final DirectoryNode top;
    private final DiskFileSystem files = new DiskFileSystem(this);
    private Forcing forcing = disk -> {};
    private long forces;

    public PowerDisk() {
        this(new DirectoryNode());
    }

    private PowerDisk(DirectoryNode top) {
        this.top = top;
    }

    /** Sets the listener that learns of each force, before and after it. */
    public synchronized void onForce(Forcing listener) {
        forcing = listener;
    }

    public Path root() {
        return files.getPath("/");
    }

    /** Returns the disk after a power loss at this moment. */
    public synchronized PowerDisk afterLoss(Loss loss, RandomGenerator random) {
        return new PowerDisk(top.afterLoss(loss, random));
    }

    /** Returns the number of forces. */
    public synchronized long forces() {
        return forces;
    }

    /**
     * Returns the sorted store of a directory. It is part of the directory, as an engine's files are: it moves, ends and loses power with
     * the directory.
     */
    public synchronized SortedStore table(Path directory) throws IOException {
        return directory(DiskPath.of(directory)).table();
    }

    /**
     * Flips one bit of a file at rest, as a failing disk does.
     *
     * @param suffix with which the names of the files end, of which it takes one
     * @return the file's path; empty without such a file
     */
    public synchronized Optional<String> flipBit(String suffix, RandomGenerator random) {
        TreeMap<String, FileNode> all = new TreeMap<>();
        top.files("", all);
        List<Map.Entry<String, FileNode>> found = all.entrySet().stream()
                .filter(each ->
                        each.getKey().endsWith(suffix) && each.getValue().length() > 0)
                .toList();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Map.Entry<String, FileNode> one = found.get(random.nextInt(found.size()));
        FileNode file = one.getValue();
        long at = random.nextInt(file.length());
        byte[] before = new byte[1];
        int unused = file.read(at, before);
        file.write(at, new byte[] {(byte) (before[0] ^ 1 << random.nextInt(Byte.SIZE))});
        file.force();
        return Optional.of(one.getKey());
    }

    synchronized Optional<DiskNode> find(DiskPath path) {
        return find(path.names());
    }

    private Optional<DiskNode> find(List<String> names) {
        DiskNode at = top;
        for (String name : names) {
            if (!(at instanceof DirectoryNode directory)) {
                return Optional.empty();
            }
            DiskNode next = directory.entries().get(name);
            if (next == null) {
                return Optional.empty();
            }
            at = next;
        }
        return Optional.of(at);
    }

    synchronized DiskNode get(DiskPath path) throws NoSuchFileException {
        return find(path).orElseThrow(() -> new NoSuchFileException(path.toString()));
    }

    synchronized List<String> list(DiskPath path) throws IOException {
        return List.copyOf(directory(path).entries().keySet());
    }

    synchronized void add(DiskPath path, DiskNode node) throws IOException {
        List<String> names = path.names();
        if (find(names).isPresent()) {
            throw new FileAlreadyExistsException(path.toString());
        }
        parent(path, names).change(Map.of(last(names), Optional.of(node)));
    }

    synchronized void remove(DiskPath path) throws IOException {
        if (get(path) instanceof DirectoryNode directory) {
            if (!directory.entries().isEmpty()) {
                throw new DirectoryNotEmptyException(path.toString());
            }
            directory.remove();
        }
        List<String> names = path.names();
        parent(path, names).change(Map.of(last(names), Optional.empty()));
    }

    synchronized void move(DiskPath from, DiskPath to) throws IOException {
        List<String> source = from.names();
        List<String> target = to.names();
        if (!above(source).equals(above(target))) {
            throw new UnsupportedOperationException("from %s to the other directory of %s".formatted(from, to));
        }
        parent(from, source).change(Map.of(last(source), Optional.empty(), last(target), Optional.of(get(from))));
    }

    private static String last(List<String> names) {
        return names.get(names.size() - 1);
    }

    private static List<String> above(List<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("the root has no parent");
        }
        return names.subList(0, names.size() - 1);
    }

    private DirectoryNode parent(DiskPath path, List<String> names) throws IOException {
        Optional<DiskNode> parent = find(above(names));
        if (parent.isEmpty()) {
            throw new NoSuchFileException(path.toString());
        }
        if (parent.get() instanceof DirectoryNode directory) {
            return directory;
        }
        throw new NotDirectoryException(path.toString());
    }

    void force(DiskNode node) throws IOException {
        Forcing listener;
        synchronized (this) {
            listener = forcing;
            forces++;
        }
        listener.at(this);
        synchronized (this) {
            if (node instanceof FileNode file) {
                file.force();
            } else if (node instanceof DirectoryNode directory) {
                directory.force();
            }
        }
        listener.at(this);
    }

    private DirectoryNode directory(DiskPath path) throws IOException {
        if (get(path) instanceof DirectoryNode directory) {
            return directory;
        }
        throw new NotDirectoryException(path.toString());
    }
}
