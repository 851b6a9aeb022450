// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.s3gateway.protocol.Utf8Order;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The keys of a bucket that begin with a prefix and lie behind a bound, in the order of their bytes in UTF-8. It lists only directories that
 * have such keys. Confined to one thread.
 */
final class KeyWalk {
    /**
     * A key, or a directory of keys.
     *
     * @param key that ends with a slash, if it is a directory
     * @param status of the object; of the directory otherwise
     */
    record Item(String key, FileStatus status, boolean isDirectory) {}

    /** A directory on the way down. */
    private record Level(WalkedDirectory directory, String prefix) {}

    private final DirectorySource source;
    private final String prefix;
    private final KeyBound bound;
    private final int page;
    private final boolean descends;
    private final Deque<Level> levels = new ArrayDeque<>();

    /**
     * Begins a walk.
     *
     * @param bucket its directory
     * @param descends false: directories below the prefix are items themselves
     * @param page the most entries of one request
     */
    KeyWalk(DirectorySource source, FilePath bucket, String prefix, KeyBound bound, boolean descends, int page)
            throws IOException {
        this.source = source;
        this.prefix = prefix;
        this.bound = bound;
        this.descends = descends;
        this.page = page;
        String above = prefix.substring(0, prefix.lastIndexOf('/') + 1);
        StringBuilder path = new StringBuilder(bucket.value());
        boolean isPossible = true;
        for (int at = 0; at < above.length(); ) {
            int slash = above.indexOf('/', at);
            String part = above.substring(at, slash);
            isPossible &= part.indexOf('\0') < 0;
            path.append('/').append(KeyPaths.encode(part));
            at = slash + 1;
        }
        if (isPossible && bound.admitsSome(prefix)) {
            open(new FilePath(path.toString()), above);
        }
    }

    private void open(FilePath path, String keys) throws IOException {
        // The later one of the beginning that all keys have, and of the bound.
        String from = prefix.length() > keys.length() ? prefix.substring(keys.length()) : "";
        if (bound.text().startsWith(keys)) {
            String rest = bound.text().substring(keys.length());
            from = Utf8Order.INSTANCE.compare(rest, from) > 0 ? rest : from;
        }
        // No name has the character NUL: a bound with one is as good as the text before it.
        int nul = from.indexOf('\0');
        from = nul < 0 ? from : from.substring(0, nul);
        levels.push(new Level(WalkedDirectory.open(source, path, from, page), keys));
    }

    /** Returns the next item; empty at the end. */
    Optional<Item> next() throws IOException {
        while (!levels.isEmpty()) {
            Level level = levels.element();
            Optional<WalkedDirectory.Child> child = level.directory().next();
            if (child.isEmpty()) {
                levels.pop();
                continue;
            }
            String key = level.prefix() + child.get().order();
            if (!key.startsWith(prefix)) {
                if (Utf8Order.INSTANCE.compare(key, prefix) > 0) {
                    // All others lie behind the prefix, too.
                    levels.clear();
                }
                continue;
            }
            FileStatus status = child.get().status();
            if (!child.get().isDirectory()) {
                if (bound.admits(key)) {
                    return Optional.of(new Item(key, status, false));
                }
            } else if (bound.admitsSome(key)) {
                if (descends) {
                    open(status.path(), key);
                } else if (!bound.text().startsWith(key) || hasMore(status, key)) {
                    return Optional.of(new Item(key, status, true));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns whether a directory in which the bound lies has a key behind it. */
    private boolean hasMore(FileStatus directory, String key) throws IOException {
        KeyWalk below = new KeyWalk(source, directory.path(), key, bound, page);
        return below.next().isPresent();
    }

    /** Begins a walk below a directory of a known path. */
    private KeyWalk(DirectorySource source, FilePath directory, String keys, KeyBound bound, int page)
            throws IOException {
        this.source = source;
        this.prefix = keys;
        this.bound = bound;
        this.descends = true;
        this.page = page;
        open(directory, keys);
    }
}
