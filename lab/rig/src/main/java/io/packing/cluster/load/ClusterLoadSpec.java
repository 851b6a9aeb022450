// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A specification of a load: it writes the files of a numbered set, or reads and compares them.
 *
 * @param action on each file, in the order of their names
 * @param path the directory in Alluxio's namespace
 * @param files number of files
 * @param size bytes of each
 * @param threads concurrent clients
 * @param writeType Alluxio's write type
 * @param cache whether reads may fill the workers' caches
 * @param seed determines the contents
 * @param shift file i goes through worker (i + shift) modulo the number of workers. A read with another shift than the
 *     write's goes through another worker.
 */
public record ClusterLoadSpec(
        Action action,
        String path,
        int files,
        int size,
        int threads,
        String writeType,
        boolean cache,
        long seed,
        int shift) {
    /** The action on each file. */
    public enum Action {
        WRITE,
        /**
         * The write of a file, and again when the client gives it up after its own retries: a program that has to store every file does
         * so. The other clients without packing repeat puts in the same way.
         */
        WRITE_ALL,
        /** The deletion and the next write of a file, as Alluxio's Hadoop client overwrites. */
        OVERWRITE,
        READ,
        /** Reads forwards and backwards, by seeks and by positioned reads. */
        SEEK
    }

    public ClusterLoadSpec {
        if (files < 0 || size < 0 || threads <= 0 || shift < 0) {
            throw new IllegalArgumentException(
                    "files=%d size=%d threads=%d shift=%d".formatted(files, size, threads, shift));
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("not an absolute path: " + path);
        }
    }

    public static ClusterLoadSpec write(String path, int files, int size, int threads, String writeType) {
        return new ClusterLoadSpec(Action.WRITE, path, files, size, threads, writeType, false, 1, 0);
    }

    /** Returns a load that writes these files, and repeats each write that the client gives up. */
    public ClusterLoadSpec repeating() {
        return new ClusterLoadSpec(Action.WRITE_ALL, path, files, size, threads, writeType, cache, seed, shift);
    }

    /** Returns a load that reads the files of this one, each through the next worker, without filling the caches. */
    public ClusterLoadSpec readBack() {
        return then(Action.READ);
    }

    /**
     * Returns a load with another action on the files of this one, each through the next worker, without filling the
     * caches.
     */
    public ClusterLoadSpec then(Action next) {
        return new ClusterLoadSpec(next, path, files, size, threads, writeType, false, seed, shift + 1);
    }

    /** Returns this load with other contents. */
    public ClusterLoadSpec withSeed(long otherSeed) {
        return new ClusterLoadSpec(action, path, files, size, threads, writeType, cache, otherSeed, shift);
    }

    String file(int index) {
        return "%s/%08d".formatted(path, index);
    }

    /** Returns the words that {@link #fromArguments} reads. */
    public List<String> toArguments() {
        return List.of(
                "action=" + action.name().toLowerCase(Locale.ROOT),
                "path=" + path,
                "files=" + files,
                "size=" + size,
                "threads=" + threads,
                "write-type=" + writeType,
                "cache=" + cache,
                "seed=" + seed,
                "shift=" + shift);
    }

    /** Reads the words of {@link #toArguments}; every key is required. */
    static ClusterLoadSpec fromArguments(List<String> arguments) {
        Map<String, String> values = new HashMap<>();
        arguments.forEach(a -> {
            int at = a.indexOf('=');
            if (at < 0) {
                throw new IllegalArgumentException("not key=value: " + a);
            }
            values.put(a.substring(0, at), a.substring(at + 1));
        });
        return new ClusterLoadSpec(
                Action.valueOf(value(values, "action").toUpperCase(Locale.ROOT)),
                value(values, "path"),
                Integer.parseInt(value(values, "files")),
                Integer.parseInt(value(values, "size")),
                Integer.parseInt(value(values, "threads")),
                value(values, "write-type"),
                Boolean.parseBoolean(value(values, "cache")),
                Long.parseLong(value(values, "seed")),
                Integer.parseInt(value(values, "shift")));
    }

    /** Returns all values of a key that may be repeated. */
    static List<String> values(List<String> arguments, String key) {
        List<String> found = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.startsWith(key + "=")) {
                found.add(argument.substring(key.length() + 1));
            }
        }
        return found;
    }

    private static String value(Map<String, String> values, String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("missing " + key + "=");
        }
        return value;
    }
}
