// SPDX-License-Identifier: Apache-2.0
package io.packing.power;

import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.jspecify.annotations.Nullable;

/** The room of a disk in memory, which never ends. */
final class DiskSpace extends FileStore {
    private static final long BYTES = 1L << 50;

    @Override
    public String name() {
        return "disk in memory";
    }

    @Override
    public String type() {
        return "memory";
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public long getTotalSpace() {
        return BYTES;
    }

    @Override
    public long getUsableSpace() {
        return BYTES;
    }

    @Override
    public long getUnallocatedSpace() {
        return BYTES;
    }

    @Override
    public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
        return false;
    }

    @Override
    public boolean supportsFileAttributeView(String name) {
        return false;
    }

    @Override
    public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> type) {
        return null;
    }

    @Override
    public Object getAttribute(String attribute) {
        throw new UnsupportedOperationException(attribute);
    }
}
