// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.Bdt;
import io.packing.bdt.DeniedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The mount as one user of it has it, and the attributes of objects that this user has read. Another user's are not shared: an ETag says
 * something of bytes that this user may be unable to read. Thread-safe.
 */
public final class UserMount {
    /** Objects whose attributes are kept. */
    private static final int MOST_KEPT = 20_000;

    private final PackingFileSystem files;
    private final String user;
    private final Executor lookups;
    private final RecentBytes recent;
    private final Map<Seen, ObjectAttributes> kept = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Seen, ObjectAttributes> eldest) {
            return size() > MOST_KEPT;
        }
    };

    /** A file's version and the hash of its extended attributes, which tell the attributes. */
    private record Seen(FileVersion version, long extended) {}

    /**
     * Makes the mount of a user.
     *
     * @param files the caller closes it
     * @param user the owner of new files
     * @param lookups runs lookups of several files beside each other
     * @param recent bytes that mounts of other users may share: a right is checked before each read
     */
    public UserMount(PackingFileSystem files, String user, Executor lookups, RecentBytes recent) {
        this.files = files;
        this.user = user;
        this.lookups = lookups;
        this.recent = recent;
    }

    public PackingFileSystem files() {
        return files;
    }

    public String user() {
        return user;
    }

    /** Returns the bytes of small objects that were just written or read. */
    public RecentBytes recent() {
        return recent;
    }

    Bdt bdt() {
        return files.bdt();
    }

    /**
     * Returns the options of a new scratch file.
     *
     * @param target the path that gets the bytes: they are as durable as it is
     */
    CreateOptions creation(FilePath target, int mode, boolean createParents) {
        CreateOptions options = new CreateOptions(user, "", mode, createParents, false);
        return files.isUploaded(target) ? options.asUploaded() : options;
    }

    /** Returns whether an entry of a directory can be an object. */
    static boolean isPlainFile(FileStatus status) {
        return !status.isDirectory() && (status.attributes().mode() & FileAttributes.TYPE) == 0;
    }

    /** Returns the file of a key; empty when there is no object. */
    public Optional<LocatedFile> locate(FilePath path) throws IOException {
        Optional<LocatedFile> found = bdt().locate(path);
        if (found.isEmpty()) {
            found = bdt().locate(KeyPaths.self(path));
        }
        return found.filter(file -> isPlainFile(file.status()));
    }

    /** Returns the object of a file. */
    public StoredObject info(String key, LocatedFile file) throws IOException {
        return new StoredObject(
                key,
                file.status(),
                file.extended().isPresent()
                        ? ObjectAttributes.of(file.extended().get())
                        : attributes(file.status()));
    }

    private StoredObject info(String key, FileStatus status) throws IOException {
        return new StoredObject(key, status, attributes(status));
    }

    private ObjectAttributes attributes(FileStatus status) throws IOException {
        if (!status.extras().hasExtended()) {
            return ObjectAttributes.NONE;
        }
        Seen seen = new Seen(status.version(), status.extras().extended());
        ObjectAttributes known = kept(seen);
        if (known == null) {
            known = ObjectAttributes.of(bdt().extended(status.path()).orElse(Map.of()));
            // A change meanwhile has another hash; the time of the mark shows that of bytes.
            keep(seen, known);
        }
        return known;
    }

    private @Nullable ObjectAttributes kept(Seen seen) {
        synchronized (kept) {
            return kept.get(seen);
        }
    }

    private void keep(Seen seen, ObjectAttributes attributes) {
        synchronized (kept) {
            kept.put(seen, attributes);
        }
    }

    /**
     * A file of a listing.
     *
     * @param key of the object
     */
    record KeyedFile(String key, FileStatus status) {}

    /** Returns the objects of files, in their order; those whose attributes are unknown are looked up beside each other. */
    List<StoredObject> infos(List<KeyedFile> listed) throws IOException {
        List<CompletableFuture<StoredObject>> coming = new ArrayList<>(listed.size());
        for (KeyedFile each : listed) {
            boolean isKnown = !each.status().extras().hasExtended()
                    || kept(new Seen(
                                    each.status().version(),
                                    each.status().extras().extended()))
                            != null;
            coming.add(
                    isKnown
                            ? CompletableFuture.completedFuture(visible(each))
                            : CompletableFuture.supplyAsync(() -> unchecked(each), lookups));
        }
        List<StoredObject> all = new ArrayList<>(listed.size());
        for (CompletableFuture<StoredObject> each : coming) {
            try {
                all.add(each.join());
            } catch (CompletionException e) {
                throw e.getCause() instanceof UncheckedIOException io ? io.getCause() : new IOException(e.getCause());
            }
        }
        return all;
    }

    private StoredObject unchecked(KeyedFile each) {
        try {
            return visible(each);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns an object of a listing. A user who may list a file and not read it learns no hash of its bytes. */
    private StoredObject visible(KeyedFile each) throws IOException {
        try {
            return info(each.key(), each.status());
        } catch (DeniedException e) {
            return new StoredObject(each.key(), each.status(), ObjectAttributes.NONE);
        }
    }
}
