// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.store;

import io.packing.store.ObjectInfo;
import io.packing.store.ObjectKeys;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.PutCondition;
import io.packing.store.StoreOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * A bucket as a tree: a key's parts between slashes are directories. An object appears when its stream is closed, and only then; there is no
 * rename. Directories are there as long as something is in them. {@code packing.s3.*} of the configuration says how the bucket is reached.
 */
public final class StoreFileSystem extends FileSystem {
    /** The schemes of buckets. */
    public static final List<String> SCHEMES = List.of("s3", "s3a", "gs", "abfs", "abfss");

    private ObjectStore store;
    private URI uri;

    /** For Hadoop, which initializes it. */
    @SuppressWarnings("NullAway.Init")
    public StoreFileSystem() {}

    @Override
    public void initialize(URI name, Configuration configuration) throws IOException {
        super.initialize(name, configuration);
        uri = URI.create("%s://%s".formatted(name.getScheme(), name.getAuthority()));
        Map<String, String> raw = new HashMap<>();
        StoreOptions.OPTIONS.forEach(option -> {
            String value = configuration.get(option.key());
            if (value != null) {
                raw.put(option.key(), value);
            }
        });
        raw.put(StoreOptions.STORE.key(), uri.toString());
        store = ObjectStores.open(StoreOptions.from(raw));
    }

    @Override
    public String getScheme() {
        return uri.getScheme();
    }

    @Override
    public URI getUri() {
        return uri;
    }

    /** Empty for the root. */
    private String key(Path path) {
        return makeQualified(path).toUri().getPath().substring(1);
    }

    private static String folder(String key) {
        return key.isEmpty() ? "" : key + "/";
    }

    FileStatus status(ObjectInfo object) {
        return new FileStatus(
                object.length(),
                false,
                1,
                StoreInput.WINDOW_BYTES,
                object.modified().toEpochMilli(),
                path(object.key()));
    }

    FileStatus directory(String key) {
        return new FileStatus(0, true, 1, StoreInput.WINDOW_BYTES, 0, path(key));
    }

    /** Not by the text: a colon in a name would make it a scheme. */
    Path path(String key) {
        return new Path(uri.getScheme(), uri.getAuthority(), "/" + key);
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        String key = key(path);
        if (key.isEmpty()) {
            return directory("");
        }
        Optional<ObjectInfo> object = store.head(key);
        if (object.isPresent()) {
            return status(object.get());
        }
        if (store.list(folder(key), "", 1).isEmpty()) {
            throw new FileNotFoundException("%s: nothing has this name, and nothing is in it".formatted(path));
        }
        return directory(key);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        String key = key(path);
        ObjectInfo object = store.head(ObjectKeys.check(key))
                .orElseThrow(() -> new FileNotFoundException(path + ": there is no such object"));
        return new FSDataInputStream(new StoreInput(store, object));
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        String key = ObjectKeys.check(key(path));
        PutCondition condition = overwrite ? PutCondition.NONE : PutCondition.IF_ABSENT;
        return new FSDataOutputStream(
                new StoreOutput((file, crc) -> store.put(key, file, OptionalInt.of(crc), condition)), statistics);
    }

    /** Directories come with what is in them. */
    @Override
    public boolean mkdirs(Path path, FsPermission permission) {
        return true;
    }

    /** Deletes an object; a directory is none. */
    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        store.delete(List.of(key(path)));
        return true;
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path) {
        return new StoreEntries(this, store, folder(key(path)));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        List<FileStatus> all = new ArrayList<>();
        RemoteIterator<FileStatus> each = listStatusIterator(path);
        while (each.hasNext()) {
            all.add(each.next());
        }
        return all.toArray(FileStatus[]::new);
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) {
        throw new UnsupportedOperationException("an object is not appended to");
    }

    @Override
    public boolean rename(Path from, Path to) {
        throw new UnsupportedOperationException("an object is not renamed");
    }

    @Override
    public void setWorkingDirectory(Path directory) {}

    @Override
    public Path getWorkingDirectory() {
        return path("");
    }

    @Override
    public void close() throws IOException {
        super.close();
        store.close();
    }
}
