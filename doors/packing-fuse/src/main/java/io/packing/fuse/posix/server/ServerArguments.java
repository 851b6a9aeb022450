// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import io.packing.blob.FilePath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The command line of a mount's server: words {@code NAME=VALUE}, whose order does not matter.
 *
 * @param master address of the BDT master
 * @param path of the directory in the mount
 * @param directory where the kernel has it
 * @param state a local directory of the server
 * @param readOnly true if programs can change nothing
 * @param valid the time for which the kernel need not ask again
 * @param options of the mount, without secrets
 */
public record ServerArguments(
        String master,
        FilePath path,
        Path directory,
        Path state,
        boolean readOnly,
        Duration valid,
        Map<String, String> options) {
    private static final String MASTER = "master";
    private static final String PATH = "path";
    private static final String DIRECTORY = "directory";
    private static final String STATE = "state";
    private static final String READ_ONLY = "read-only";
    private static final String VALID_MILLIS = "valid-millis";
    private static final String OPTION = "option:";

    public ServerArguments {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }

    /** Returns these arguments with an option of the mount, unless they have it. */
    public ServerArguments withDefault(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.putIfAbsent(key, value);
        return new ServerArguments(master, path, directory, state, readOnly, valid, more);
    }

    /** Returns the words of a command line. */
    public List<String> words() {
        List<String> words = new ArrayList<>(List.of(
                MASTER + "=" + master,
                PATH + "=" + path.value(),
                DIRECTORY + "=" + directory,
                STATE + "=" + state,
                READ_ONLY + "=" + readOnly,
                VALID_MILLIS + "=" + valid.toMillis()));
        options.forEach((key, value) -> words.add(OPTION + key + "=" + value));
        return words;
    }

    /**
     * Reads what {@link #words} wrote, in any order.
     *
     * @throws IllegalArgumentException naming what is missing or unknown
     */
    public static ServerArguments parse(String... words) {
        Map<String, String> values = new LinkedHashMap<>();
        Map<String, String> options = new LinkedHashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("'%s' is not NAME=VALUE".formatted(word));
            }
            String name = word.substring(0, equals);
            String value = word.substring(equals + 1);
            if (name.startsWith(OPTION)) {
                options.put(name.substring(OPTION.length()), value);
            } else {
                values.put(name, value);
            }
        }
        ServerArguments read = new ServerArguments(
                take(values, MASTER),
                new FilePath(take(values, PATH)),
                Path.of(take(values, DIRECTORY)),
                Path.of(take(values, STATE)),
                Boolean.parseBoolean(take(values, READ_ONLY)),
                Duration.ofMillis(Long.parseLong(take(values, VALID_MILLIS))),
                options);
        if (!values.isEmpty()) {
            throw new IllegalArgumentException("unknown: " + String.join(", ", values.keySet()));
        }
        return read;
    }

    private static String take(Map<String, String> values, String name) {
        String value = values.remove(name);
        if (value == null) {
            throw new IllegalArgumentException("%s is missing".formatted(name));
        }
        return value;
    }
}
