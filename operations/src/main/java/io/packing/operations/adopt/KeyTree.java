// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import io.packing.blob.FilePath;
import io.packing.store.ObjectInfo;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The paths of a bucket's keys, which come in the order of their bytes. A key with another key's file above it is refused: the
 * other one came before. Confined to one thread.
 */
final class KeyTree {
    /** A larger file has more extents than the answer to one lookup should have. */
    static final long MOST_BYTES = 64L << 30;

    private final AdoptionSource source;
    private final FilePath target;
    private final List<String> own;
    /** Keys that became files and with which the key before begins, the shortest first. */
    private final Deque<String> above = new ArrayDeque<>();

    /**
     * Begins before the first key.
     *
     * @param own beginnings of the keys of the mount's own objects in this bucket
     */
    KeyTree(AdoptionSource source, FilePath target, List<String> own) {
        this.source = source;
        this.target = target;
        this.own = own;
    }

    /** Returns the place of the next object. */
    KeyVerdict next(ObjectInfo object) {
        String key = object.key();
        if (own.stream().anyMatch(key::startsWith)) {
            return new KeyVerdict.Own();
        }
        while (!above.isEmpty() && !key.startsWith(above.getLast())) {
            String unused = above.removeLast();
        }
        for (String file : above) {
            if (key.startsWith(file + "/")) {
                return new KeyVerdict.Refused("the object " + file + " is a file where this one needs a directory");
            }
        }
        KeyVerdict verdict = verdict(object);
        if (verdict instanceof KeyVerdict.File) {
            above.addLast(key);
        }
        return verdict;
    }

    private KeyVerdict verdict(ObjectInfo object) {
        String key = object.key();
        if (key.endsWith("/")) {
            return new KeyVerdict.Refused("a key with a slash at its end marks a directory, and is no file");
        }
        FilePath path;
        try {
            String below = key.substring(source.prefix().length());
            path = new FilePath(target.isRoot() ? "/" + below : target.value() + "/" + below);
        } catch (IllegalArgumentException e) {
            return new KeyVerdict.Refused(String.valueOf(e.getMessage()));
        }
        Optional<String> why = path.whyNotCreatable().or(path::whyNotForUsers);
        if (why.isPresent()) {
            return new KeyVerdict.Refused(why.get());
        }
        if (object.length() > MOST_BYTES) {
            return new KeyVerdict.Refused("an object of %,d bytes, at most %,d".formatted(object.length(), MOST_BYTES));
        }
        return object.version().isEmpty()
                ? new KeyVerdict.Refused("the store tells no version of it")
                : new KeyVerdict.File(path);
    }
}
