// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.bdt.BdtOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of the packing mount that a demonstration or experiment makes; checked before any server starts. */
final class MountArguments {
    /** The options that the run's own S3 server decides. */
    private static final List<String> OWN = List.of(
            "packing.store",
            "packing.s3.endpoint",
            "packing.s3.path.style",
            "packing.s3.access.key",
            "packing.s3.secret.key");

    @Option(
            names = "--seal-after",
            paramLabel = "DURATION",
            description = "Longest that a file waits for the store: packing.seal.after, 15m by default.")
    private Optional<String> sealAfter = Optional.empty();

    @Option(
            names = "--blob-max",
            paramLabel = "SIZE",
            description = "Size at which a blob is sealed: packing.blob.max.bytes, 1GB by default.")
    private Optional<String> blobMax = Optional.empty();

    @Option(
            names = "--durability",
            paramLabel = "WHAT",
            description = "buffered, synced or uploaded: packing.durability, synced by default.")
    private Optional<String> durability = Optional.empty();

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            description = "fifo, directory or size: packing.policy, fifo by default; directory in 'experiment read'.")
    private Optional<String> policy = Optional.empty();

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "Any other option of the packing mount, such as packing.threads=4. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    /** All of them under their keys. */
    Map<String, String> resolve() {
        return resolve(Map.of());
    }

    /**
     * All of them under their keys.
     *
     * @param defaults for what is not given, where a run has other ones than a mount
     * @throws IllegalArgumentException naming what is given twice, unknown or malformed
     */
    Map<String, String> resolve(Map<String, String> defaults) {
        Map<String, String> all = new LinkedHashMap<>(defaults);
        all.putAll(options);
        add(all, "--seal-after", PackOptions.SEAL_AFTER.key(), sealAfter);
        add(all, "--blob-max", PackOptions.BLOB_MAX_BYTES.key(), blobMax);
        add(all, "--durability", BdtOptions.DURABILITY.key(), durability);
        add(all, "--policy", PackOptions.POLICY.key(), policy);
        for (String own : OWN) {
            if (all.containsKey(own)) {
                throw new IllegalArgumentException(
                        "--option %s: this run brings its own store; leave the option out".formatted(own));
            }
        }
        Map<String, String> whole = new LinkedHashMap<>(all);
        whole.put("packing.store", "s3://bucket/prefix");
        // Whatever is wrong with them is to be said now, not by a server that is half started.
        return without(MountOptions.from(whole).raw(), "packing.store");
    }

    private static Map<String, String> without(Map<String, String> map, String key) {
        Map<String, String> rest = new LinkedHashMap<>(map);
        rest.remove(key);
        return rest;
    }

    private void add(Map<String, String> all, String flag, String key, Optional<String> value) {
        value.ifPresent(v -> {
            if (options.containsKey(key)) {
                throw new IllegalArgumentException(
                        "%s and --option %s say the same thing: give one of them".formatted(flag, key));
            }
            all.put(key, v);
        });
    }
}
