// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The arguments of a driver that compares the ingest of two clusters. */
final class PairOptions {
    private final Map<String, String> settings;
    private final List<String> options = new ArrayList<>();

    /** @throws IllegalArgumentException for an unknown argument, naming the known ones */
    PairOptions(String[] args) {
        this(args, Map.of("files", "65536", "size", "8192", "threads", "2", "rounds", "6"));
    }

    /** @param defaults of the settings */
    PairOptions(String[] args, Map<String, String> defaults) {
        settings = new LinkedHashMap<>(defaults);
        settings.put("dir", "");
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith("packing.")) {
                options.add(args[i]);
                continue;
            }
            String key = args[i].startsWith("--") ? args[i].substring(2) : "";
            if (i + 1 == args.length || settings.put(key, args[++i]) == null) {
                throw new IllegalArgumentException("unknown argument '%s', want --%s or packing.KEY=VALUE"
                        .formatted(args[i], String.join(", --", settings.keySet())));
            }
        }
    }

    private int setting(String key) {
        return Integer.parseInt(settings.getOrDefault(key, ""));
    }

    /** Returns the options of both mounts, {@code packing.KEY=VALUE}. */
    List<String> options() {
        return options;
    }

    IngestPair pair(String one, String other) {
        return new IngestPair(
                one, other, new IngestTurns(setting("files"), setting("size"), setting("threads")), setting("rounds"));
    }

    /** Makes a new directory for the clusters. */
    Path home(String name) throws IOException {
        String parent = settings.getOrDefault("dir", "");
        return parent.isEmpty()
                ? Files.createTempDirectory(name)
                : Files.createTempDirectory(Files.createDirectories(Path.of(parent)), name);
    }
}
