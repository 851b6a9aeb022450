// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.cloud.ReadyMount;
import io.packing.durable.DirectoryLock;
import io.packing.durable.DurableDirectory;
import io.packing.durable.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * A master's directory: a lock, and a folder for each mount. A mount's folder counts only once its {@code ready} file
 * exists, which holds the master epoch and the store's location; what a recovery left half done is thrown away.
 */
final class DataDirectory implements AutoCloseable {
    private static final String INSTANCE = "instance";
    private static final String LOCK = "lock";
    /** The end of the name of a folder with a table that another group sends. */
    private static final String RECEIVED = "@move";

    private final Path root;
    private final String instance;
    private final DirectoryLock lock;
    private final Starts starts;

    private DataDirectory(Path root, String instance, DirectoryLock lock, Starts starts) {
        this.root = root;
        this.instance = instance;
        this.lock = lock;
        this.starts = starts;
    }

    static DataDirectory lock(Path root) throws IOException {
        DurableDirectory.create(root);
        DirectoryLock lock = DirectoryLock.acquire(root, LOCK);
        try {
            DataDirectory directory =
                    new DataDirectory(root, instance(root), lock, Starts.begin(root, root.resolve(LOCK)));
            directory.takeAllReceived();
            return directory;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** Returns the unique id of this directory; other masters see it in this master's leases. */
    String instance() {
        return instance;
    }

    /** The starts of masters on this directory, of which this is the newest. */
    Starts starts() {
        return starts;
    }

    private static String instance(Path root) throws IOException {
        Path file = root.resolve(INSTANCE);
        if (Files.exists(file)) {
            String text = Files.readString(file).strip();
            if (!text.isEmpty()) {
                return text;
            }
        }
        String fresh = UUID.randomUUID().toString();
        DurableFile.write(root, INSTANCE, fresh + "\n");
        return fresh;
    }

    /** A name for the folder of a mount that only depends on where its store is. */
    static String mountId(String location) {
        String folded = location.replaceAll("/+$", "");
        String readable = folded.replaceAll("[^A-Za-z0-9]+", "-");
        CRC32C crc = new CRC32C();
        crc.update(folded.getBytes(StandardCharsets.UTF_8));
        return "%s-%08x-%08x"
                .formatted(readable.substring(Math.max(0, readable.length() - 60)), crc.getValue(), folded.hashCode());
    }

    /**
     * Gives the folder of a mount the name by which it is known now: spellings of one location were folders of their own.
     */
    void rename(String before, String id) throws IOException {
        if (!before.equals(id) && Files.exists(mount(before)) && !Files.exists(mount(id))) {
            Files.move(mount(before), mount(id), StandardCopyOption.ATOMIC_MOVE);
            DurableDirectory.sync(root);
        }
    }

    /** Keys and tokens of this master. No mount is called so: their names end with two checksums. */
    Path security() {
        return root.resolve("security");
    }

    /** Returns the folder of other groups' token state; no mount has this name, either. */
    Path groups() {
        return root.resolve("groups");
    }

    /** The table of mounts, if this master's group has it; no mount is called so, either. */
    Path mounts() {
        return root.resolve("mounts");
    }

    /** The places of mounts' stores; no mount is called so, either. */
    Path stores() {
        return root.resolve("stores");
    }

    Path mount(String id) {
        return root.resolve(id);
    }

    /** Returns the owner of the table in a mount's folder; empty without a complete table. */
    Optional<ReadyMount> ready(String id) throws IOException {
        Path ready = mount(id).resolve("ready");
        if (!Files.exists(ready)) {
            return Optional.empty();
        }
        try {
            return Optional.of(ReadyMount.decode(Files.readAllLines(ready)));
        } catch (IllegalArgumentException e) {
            throw new IOException(ready + " is damaged; remove the folder to recover from the backing store", e);
        }
    }

    /** Makes a mount's folder count. */
    void ready(String id, ReadyMount ready) throws IOException {
        DurableFile.write(mount(id), "ready", ready.encode());
    }

    /** Returns the folder of a table that another group sends. No mount has this name. */
    Path received(String id) {
        return mount(id + RECEIVED);
    }

    /**
     * Makes a table that was received that of the mount, if it is marked as ready. A crash before the end is made good by the next
     * start. One thread does so at a time: another would clear the table that the first has put in its place.
     */
    synchronized void takeReceived(String id) throws IOException {
        Path received = received(id);
        if (Files.exists(received.resolve("ready"))) {
            clear(id);
            Files.delete(mount(id));
            Files.move(received, mount(id), StandardCopyOption.ATOMIC_MOVE);
            DurableDirectory.sync(root);
        }
    }

    private void takeAllReceived() throws IOException {
        try (Stream<Path> folders = Files.list(root)) {
            for (Path folder : folders.toList()) {
                String name = folder.getFileName().toString();
                if (name.endsWith(RECEIVED)) {
                    takeReceived(name.substring(0, name.length() - RECEIVED.length()));
                }
            }
        }
    }

    /** The folder of the table that a recovery replaced. No mount is called so. */
    Path older(String id) {
        return mount(id + "@older");
    }

    /** Empties a mount's folder. A table that counts is set aside, in the place of the one that was before. */
    void setAside(String id) throws IOException {
        if (Files.exists(mount(id).resolve("ready"))) {
            clear(older(id).getFileName().toString());
            Files.delete(older(id));
            Files.move(mount(id), older(id), StandardCopyOption.ATOMIC_MOVE);
            DurableDirectory.sync(root);
        }
        clear(id);
    }

    /** Throws a mount's folder away. */
    void clear(String id) throws IOException {
        Path folder = mount(id);
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        DurableDirectory.create(folder);
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
