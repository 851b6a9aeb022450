// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.store;

import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The entries of a directory, from the ordered keys of a store without directories. The next request skips the keys below a
 * subdirectory. Confined to one thread.
 */
final class StoreEntries implements RemoteIterator<FileStatus> {
    private static final int PAGE = 1_000;
    /** The last character of all: nothing that is in a directory comes after it. */
    private static final String LAST = new String(Character.toChars(Character.MAX_CODE_POINT));

    private final StoreFileSystem files;
    private final ObjectStore store;
    private final String folder;
    private final Deque<FileStatus> found = new ArrayDeque<>();
    private String after = "";
    private String unusable = "";
    private boolean ended;

    /** @param folder with a slash at its end; empty for the root */
    StoreEntries(StoreFileSystem files, ObjectStore store, String folder) {
        this.files = files;
        this.store = store;
        this.folder = folder;
    }

    @Override
    public boolean hasNext() throws IOException {
        while (found.isEmpty() && !ended) {
            page();
        }
        if (found.isEmpty() && !unusable.isEmpty()) {
            String key = unusable;
            unusable = "";
            throw new IOException("the key '%s', and perhaps others, cannot be the path of a file".formatted(key));
        }
        return !found.isEmpty();
    }

    @Override
    public FileStatus next() throws IOException {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return found.remove();
    }

    private void page() throws IOException {
        List<ObjectInfo> page = store.list(folder, after, PAGE);
        String passed = "";
        for (ObjectInfo object : page) {
            String key = object.key();
            if (!passed.isEmpty() && key.startsWith(passed)) {
                continue;
            }
            int slash = key.indexOf('/', folder.length());
            String name = key.substring(folder.length(), slash < 0 ? key.length() : slash);
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                unusable = key;
            } else {
                found.add(slash < 0 ? files.status(object) : files.directory(folder + name));
            }
            passed = slash < 0 ? "" : folder + name + "/";
            after = slash < 0 ? key : passed + LAST;
        }
        ended = page.isEmpty();
    }
}
