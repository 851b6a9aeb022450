// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import io.packing.transport.watch.WatchedFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Access keys in a file, as lines {@code ACCESS_KEY SECRET USER}. The file is read again when it changes. Keys of a file that cannot be
 * used do not come to use: the last usable ones stay, and the log says why. Thread-safe.
 */
public final class AccessKeys {
    /** Derived keys that are kept: one for each access key, region and day. */
    private static final int MOST_DERIVED = 1_000;

    /** A key with what was derived from it; the whole is replaced when the file changes. */
    private record Known(Map<String, AccessKey> keys, Map<String, SigningKey> derived) {
        Known(Map<String, AccessKey> keys) {
            this(keys, new ConcurrentHashMap<>());
        }
    }

    private final WatchedFiles file;
    private volatile Known known = new Known(Map.of());

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException naming the file when it cannot be used
     */
    public AccessKeys(Path path) {
        file = WatchedFiles.read(List.of(path), () -> known = new Known(parse(Files.readAllLines(path))));
    }

    static Map<String, AccessKey> parse(List<String> lines) {
        Map<String, AccessKey> keys = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split("\\s+", -1);
            if (words.length != 3) {
                // The line itself may have a secret.
                throw new IllegalArgumentException(
                        "access keys, line %d: want ACCESS_KEY SECRET USER".formatted(i + 1));
            }
            AccessKey key = new AccessKey(words[0], words[1], words[2]);
            if (keys.put(key.id(), key) != null) {
                throw new IllegalArgumentException(
                        "access keys, line %d: %s is there twice".formatted(i + 1, key.id()));
            }
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("no access key: want lines ACCESS_KEY SECRET USER");
        }
        return keys;
    }

    /** Returns the key of an id. */
    Optional<AccessKey> find(String id) {
        file.refresh();
        return Optional.ofNullable(known.keys().get(id));
    }

    /** Returns the users of all keys. */
    public List<String> users() {
        return known.keys().values().stream().map(AccessKey::user).distinct().toList();
    }

    SigningKey signing(AccessKey key, SigningKey.Scope scope) {
        Map<String, SigningKey> derived = known.derived();
        String name = key.id() + "/" + scope;
        SigningKey there = derived.get(name);
        if (there == null) {
            there = SigningKey.derive(key.secret(), scope);
            if (derived.size() >= MOST_DERIVED) {
                derived.clear();
            }
            derived.put(name, there);
        }
        return there;
    }
}
