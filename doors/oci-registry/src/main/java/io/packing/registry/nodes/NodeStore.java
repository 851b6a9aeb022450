// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.durable.DurableDirectory;
import io.packing.registry.dedup.ContentSource;
import io.packing.registry.oci.Digest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The files of a node in its directory: {@code layers/ALG/HH/HEX}, and {@code files/HH/HEX-LEVEL}. Everything is named
 * by its hash, and gets its name when its bytes are on the disk and have that hash. One process at a time has the
 * directory. Thread-safe.
 */
public final class NodeStore implements AutoCloseable {
    private static final String LAYERS = "layers";
    private static final String FILES = "files";
    private static final int MOST_LEVELS = 16;
    private static final int MOST_PROVED = 200_000;

    private final NodeDisk disk;
    /** Files whose bytes were read and hashed by this process. */
    private final Set<String> proved = new HashSet<>();

    private NodeStore(NodeDisk disk) {
        this.disk = disk;
    }

    /**
     * Opens a directory, which is made if it is not there.
     *
     * @param capacity bytes above which nothing is taken any more
     * @param millis the time, milliseconds since the epoch
     */
    public static NodeStore open(Path directory, long capacity, LongSupplier millis) throws IOException {
        return new NodeStore(NodeDisk.open(directory, capacity, millis));
    }

    /** Bytes of all that is here. */
    public long bytes() {
        return disk.bytes();
    }

    /** Refuses so many bytes when they do not fit. */
    public void checkRoom(long length) throws NodeRefusedException {
        disk.checkRoom(length);
    }

    private Path layerFolder(Digest digest) {
        return disk.folder(LAYERS)
                .resolve(digest.algorithm().text())
                .resolve(digest.hex().substring(0, 2));
    }

    private Path layer(Digest digest) {
        return layerFolder(digest).resolve(digest.hex());
    }

    private Path fileFolder(String hex) {
        return disk.folder(FILES).resolve(hex.substring(0, 2));
    }

    public boolean hasLayer(Digest digest) {
        return Files.exists(layer(digest));
    }

    public long layerLength(Digest digest) throws IOException {
        return Files.size(layer(digest));
    }

    public FileChannel layer(Digest digest, long position) throws IOException {
        try {
            return FileChannel.open(layer(digest), StandardOpenOption.READ).position(position);
        } catch (NoSuchFileException e) {
            throw gone("layer " + digest, e);
        }
    }

    private static FileNotFoundException gone(String what, NoSuchFileException cause) {
        FileNotFoundException gone = new FileNotFoundException(what + " is not at this node");
        gone.initCause(cause);
        return gone;
    }

    /** Stores a whole layer, unless it is here. */
    public void putLayer(Digest digest, long length, InputStream from) throws IOException {
        if (hasLayer(digest)) {
            return;
        }
        Path scratch = disk.scratch();
        try {
            Digest is = digest.algorithm()
                    .of(disk.receive(from, length, scratch, digest.algorithm().hasher()));
            if (!is.equals(digest)) {
                throw new IOException("layer %s came as %s".formatted(digest, is));
            }
            Files.createDirectories(layerFolder(digest));
            disk.place(scratch, layer(digest), length);
            DurableDirectory.sync(layerFolder(digest));
        } finally {
            Files.deleteIfExists(scratch);
        }
    }

    public void deleteLayer(Digest digest) throws IOException {
        disk.delete(layer(digest));
    }

    /** Deletes a layer whose bytes do not have its digest. */
    public void checkLayer(Digest digest) throws IOException {
        if (!hasLayer(digest)) {
            return;
        }
        MessageDigest hasher = digest.algorithm().hasher();
        NodeDisk.hash(layer(digest), hasher);
        if (!digest.algorithm().of(hasher).equals(digest)) {
            deleteLayer(digest);
        }
    }

    /** Deletes a file whose bytes do not have its hash. */
    public void checkFile(String hex) throws IOException {
        Optional<Path> file = file(hex);
        if (file.isPresent()) {
            forget(hex);
            boolean unused = isSound(hex, Files.size(file.get()), file.get());
        }
    }

    private void forget(String hex) {
        synchronized (proved) {
            proved.remove(hex);
        }
    }

    /** Hashes all files here, and deletes damaged ones; returns their number. */
    public long scrub() throws IOException {
        long before = count();
        for (Path layer : disk.below(LAYERS)) {
            checkLayer(digest(layer));
        }
        for (Path file : disk.below(FILES)) {
            checkFile(hex(file));
        }
        return before - count();
    }

    private Digest digest(Path layer) {
        String[] words = disk.folder(LAYERS).relativize(layer).toString().split("/", -1);
        return new Digest(Digest.Algorithm.named(words[0]).orElseThrow(), words[words.length - 1]);
    }

    private String hex(Path file) {
        String name = disk.folder(FILES).relativize(file).toString();
        return name.substring(name.lastIndexOf('/') + 1, name.lastIndexOf('-'));
    }

    /** Layers, by digest, that came so long ago. */
    public List<String> oldLayers(Duration age) throws IOException {
        return disk.olderThan(LAYERS, age).stream()
                .map(each -> digest(each).toString())
                .toList();
    }

    /** Files that came, or were asked for, so long ago. */
    public List<String> oldFiles(Duration age) throws IOException {
        return disk.olderThan(FILES, age).stream().map(this::hex).toList();
    }

    private long count() throws IOException {
        return (long) disk.below(LAYERS).size() + disk.below(FILES).size();
    }

    /** Returns the path of a file, which names the replica. */
    private Optional<Path> file(String hex) {
        for (int level = 0; level < MOST_LEVELS; level++) {
            Path path = fileFolder(hex).resolve(hex + "-" + level);
            if (Files.exists(path)) {
                return Optional.of(path);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns which of some files are here, and the number of the replica of each. The caller may be about to name
     * them, so they are no garbage for a while.
     */
    public Map<String, Integer> levels(List<String> hexes) throws IOException {
        Map<String, Integer> levels = new LinkedHashMap<>();
        for (String hex : hexes) {
            Optional<Path> file = file(hex);
            if (file.isPresent()) {
                disk.touch(file.get());
                String name = fileFolder(hex).relativize(file.get()).toString();
                levels.put(hex, Integer.parseInt(name.substring(name.indexOf('-') + 1)));
            }
        }
        return levels;
    }

    /** Reads bytes of a file; returns false if it is not here, or is damaged, and deletes it then. */
    public boolean read(ContentSource.Wanted wanted, ByteBuffer into) throws IOException {
        Optional<Path> file = file(wanted.hex());
        if (file.isEmpty() || !isSound(wanted.hex(), wanted.length(), file.get())) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file.get(), StandardOpenOption.READ)) {
            while (into.hasRemaining()) {
                if (channel.read(into, wanted.from() + into.position()) < 0) {
                    disk.delete(file.get());
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /**
     * Returns whether a file has its hash. It is hashed when this process reads it for the first time: a disk may have
     * been changed, or have rotted, meanwhile.
     */
    private boolean isSound(String hex, long length, Path file) throws IOException {
        synchronized (proved) {
            if (proved.contains(hex)) {
                return true;
            }
        }
        MessageDigest hasher = Digest.Algorithm.SHA256.hasher();
        try {
            NodeDisk.hash(file, hasher);
            if (Files.size(file) != length
                    || !Digest.Algorithm.SHA256.of(hasher).hex().equals(hex)) {
                disk.delete(file);
                return false;
            }
        } catch (NoSuchFileException e) {
            return false;
        }
        synchronized (proved) {
            if (proved.size() == MOST_PROVED) {
                proved.clear();
            }
            proved.add(hex);
        }
        return true;
    }

    /** Stores files that stand one after the other; they are on the disk when this returns. */
    public void putFiles(InputStream records) throws IOException {
        Set<Path> folders = new LinkedHashSet<>();
        for (Optional<FileRecord> next = FileRecord.read(records); next.isPresent(); next = FileRecord.read(records)) {
            putFile(next.get(), records);
            folders.add(fileFolder(next.get().hex()));
        }
        for (Path folder : folders) {
            DurableDirectory.sync(folder);
        }
    }

    /** Stores a file, unless it is here, and reads its bytes in any case. */
    private void putFile(FileRecord record, InputStream from) throws IOException {
        if (record.level() >= MOST_LEVELS) {
            throw new IOException("replica %d of a file".formatted(record.level()));
        }
        if (file(record.hex()).isPresent()) {
            from.skipNBytes(record.length());
            return;
        }
        Path scratch = disk.scratch();
        try {
            Digest is = Digest.Algorithm.SHA256.of(
                    disk.receive(from, record.length(), scratch, Digest.Algorithm.SHA256.hasher()));
            if (!is.hex().equals(record.hex())) {
                throw new IOException("file %s came as %s".formatted(record.hex(), is.hex()));
            }
            Files.createDirectories(fileFolder(record.hex()));
            disk.place(scratch, fileFolder(record.hex()).resolve(record.hex() + "-" + record.level()), record.length());
        } finally {
            Files.deleteIfExists(scratch);
        }
    }

    public void deleteFile(String hex) throws IOException {
        Optional<Path> file = file(hex);
        if (file.isPresent()) {
            forget(hex);
            disk.delete(file.get());
        }
    }

    @Override
    public void close() throws IOException {
        disk.close();
    }
}
