package io.packing.cluster.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the load generator does with the files of a numbered set: write them, or read and compare.
 *
 * @param action what is done, in name order
 * @param path the directory in Alluxio's namespace
 * @param files how many files
 * @param size bytes of each
 * @param threads concurrent clients
 * @param writeType Alluxio's write type
 * @param cache whether reads may fill the workers' caches
 * @param seed contents depend on it
 * @param shift file i goes through worker (i + shift) modulo the number of workers; so a read with another shift than
 *     the write's goes through another worker
 */
public record LoadSpec(
        Action action,
        String path,
        int files,
        int size,
        int threads,
        String writeType,
        boolean cache,
        long seed,
        int shift) {
    /** What is done to each file. */
    public enum Action {
        WRITE,
        /** Delete it and write it again, as Alluxio's Hadoop client overwrites. */
        OVERWRITE,
        READ,
        /** Read at positions forwards and backwards, by seeks and by positioned reads. */
        SEEK
    }

    public LoadSpec {
        if (files < 0 || size < 0 || threads <= 0 || shift < 0) {
            throw new IllegalArgumentException(
                    "files=%d size=%d threads=%d shift=%d".formatted(files, size, threads, shift));
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("not an absolute path: " + path);
        }
    }

    public static LoadSpec write(String path, int files, int size, int threads, String writeType) {
        return new LoadSpec(Action.WRITE, path, files, size, threads, writeType, false, 1, 0);
    }

    /** Reads what this specification wrote, each file through the next worker, past the caches. */
    public LoadSpec readBack() {
        return then(Action.READ);
    }

    /** Does something else with what this specification wrote, each file through the next worker, past the caches. */
    public LoadSpec then(Action next) {
        return new LoadSpec(next, path, files, size, threads, writeType, false, seed, shift + 1);
    }

    /** The same with other contents. */
    public LoadSpec withSeed(long otherSeed) {
        return new LoadSpec(action, path, files, size, threads, writeType, cache, otherSeed, shift);
    }

    String file(int index) {
        return "%s/%08d".formatted(path, index);
    }

    /** The words that {@link #fromArguments} reads. */
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

    /** The opposite of {@link #toArguments}; every key must be there. */
    static LoadSpec fromArguments(List<String> arguments) {
        Map<String, String> values = new HashMap<>();
        arguments.forEach(a -> {
            int at = a.indexOf('=');
            if (at < 0) {
                throw new IllegalArgumentException("not key=value: " + a);
            }
            values.put(a.substring(0, at), a.substring(at + 1));
        });
        return new LoadSpec(
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

    /** All values of a key that may be repeated. */
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
