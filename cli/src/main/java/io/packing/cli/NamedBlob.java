// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.blob.FileRangeSource;
import io.packing.blob.RangeSource;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.StoreLocation;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** A blob that a user names: a local file, or an object by its URI. */
record NamedBlob(RangeSource source, AutoCloseable resource) implements AutoCloseable {
    private static final Pattern OBJECT = Pattern.compile("(?:s3a?|gs|abfss?)://");

    /**
     * Opens a blob.
     *
     * @param name a path, {@code file:///dir/blob} or {@code s3://bucket/prefix/blob}
     * @param storeOptions how to reach the store of an {@code s3://} name
     */
    static NamedBlob open(String name, Map<String, String> storeOptions) throws IOException {
        if (OBJECT.matcher(name).lookingAt()) {
            return openObject(name, storeOptions);
        }
        Path path = name.startsWith("file:") && StoreLocation.parse(name) instanceof StoreLocation.Directory file
                ? file.path()
                : Path.of(name);
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        return new NamedBlob(new FileRangeSource(name, channel), channel);
    }

    private static NamedBlob openObject(String name, Map<String, String> storeOptions) throws IOException {
        int slash = name.lastIndexOf('/');
        String key = name.substring(slash + 1);
        if (key.isEmpty() || slash <= name.indexOf("//") + 1) {
            throw new IllegalArgumentException(
                    "'%s' names no object: expected s3://bucket/prefix/blob".formatted(name));
        }
        Map<String, String> options = new LinkedHashMap<>(storeOptions);
        options.put(StoreOptions.STORE.key(), name.substring(0, slash));
        ObjectStore store = ObjectStores.open(StoreOptions.from(options));
        try {
            ObjectInfo info = store.head(key).orElseThrow(() -> new ObjectNotFoundException(name + ": no such object"));
            return new NamedBlob(new ObjectSource(name, store, key, info.length()), store);
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private record ObjectSource(String name, ObjectStore store, String key, long length) implements RangeSource {
        @Override
        public ByteBuffer read(long offset, int length) throws IOException {
            return store.get(key, offset, length);
        }

        @Override
        public ByteBuffer readAgain(long offset, int length) throws IOException {
            return store.getAgain(key, offset, length);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            resource.close();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(source.name() + " was not closed", e);
        }
    }
}
