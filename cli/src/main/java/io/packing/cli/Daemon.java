// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.master.BdtMasterOptions;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.worker.api.MountOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command that runs all the time, and what its file can say: each flag and argument of the command, and options.
 *
 * @param needed what it does not start without, as examples: values by their keys in a file
 * @param prefix how the keys of its options begin
 * @param required keys of options that it needs
 * @param running those of the options that it takes from its file while it runs
 */
record Daemon(
        String command,
        Map<String, String> needed,
        String prefix,
        List<Option<?>> options,
        List<String> required,
        List<Option<?>> running) {
    static final Daemon BDT_MASTER = new Daemon(
            "bdt-master",
            examples(
                    "bdt.data.dir", "/var/lib/packing/bdt",
                    "bdt.bind.host", "127.0.0.1",
                    "bdt.port", "19990",
                    "bdt.stores", "s3://bucket/prefix"),
            "bdt.",
            BdtMasterOptions.OPTIONS,
            List.of(BdtMasterOptions.STORES.key()),
            BdtMasterOptions.TAKEN_RUNNING);

    static final Daemon WORKER = new Daemon(
            "worker",
            examples(
                    "worker.mount", "packing://127.0.0.1:19990/",
                    "worker.id", "worker-1",
                    "worker.buffer-dir", "/var/lib/packing/buffer",
                    "worker.host", "127.0.0.1"),
            "packing.",
            MountOptions.OPTIONS,
            List.of(),
            MountOptions.TAKEN_RUNNING);

    static final Daemon REGISTRY = new Daemon(
            "registry",
            examples(
                    "registry.mount", "packing://127.0.0.1:19990/registry",
                    "registry.bind", "127.0.0.1:5000"),
            "packing.",
            MountOptions.OPTIONS,
            List.of(),
            List.of());

    static final Daemon S3 = new Daemon(
            "s3",
            examples(
                    "s3.mount", "packing://127.0.0.1:19990/",
                    "s3.bind", "127.0.0.1:9000",
                    "s3.keys", "/etc/packing/s3.keys"),
            "packing.",
            MountOptions.OPTIONS,
            List.of(),
            List.of());

    static final List<Daemon> ALL = List.of(BDT_MASTER, WORKER, REGISTRY, S3);
    static final String NAMES = "bdt-master, worker, registry and s3";

    Daemon {
        needed = Collections.unmodifiableMap(new LinkedHashMap<>(needed));
        options = List.copyOf(options);
        required = List.copyOf(required);
        running = List.copyOf(running);
    }

    /** Returns whether the daemon takes a setting from its file while it runs. */
    boolean takesRunning(String key) {
        return running.stream().anyMatch(option -> option.key().equals(key));
    }

    /** @throws IllegalArgumentException naming the daemons that there are */
    static Daemon named(String command) {
        return find(command)
                .orElseThrow(() ->
                        new IllegalArgumentException("'%s' is no daemon: there are %s".formatted(command, NAMES)));
    }

    /** Returns the daemon that a command line runs; empty: it runs none. */
    static Optional<Daemon> runBy(List<String> words) {
        return DaemonLine.of(words).flatMap(Daemon::find);
    }

    static Optional<Daemon> find(String command) {
        return ALL.stream().filter(daemon -> daemon.command.equals(command)).findFirst();
    }

    /** Returns what its file can say under the command's name, as the command declares it. */
    DaemonArguments arguments() {
        return DaemonArguments.of(command);
    }

    /** Returns a line for each missing argument or setting. */
    List<String> missing(Map<String, String> given, Map<String, String> settings) {
        List<String> missing = new ArrayList<>();
        for (DaemonArguments.Argument each : arguments().all()) {
            if (each.isRequired(given.keySet())) {
                missing.add("%s.%s is missing".formatted(command, each.name()));
            }
        }
        for (String key : required) {
            // A flag may say the same.
            boolean said = given.containsKey(flagOf(key));
            if (settings.getOrDefault(key, "").isBlank() && !said) {
                missing.add("%s is missing".formatted(key));
            }
        }
        return missing;
    }

    private static String flagOf(String key) {
        return key.equals(BdtMasterOptions.STORES.key()) ? "store" : "";
    }

    /** Returns warnings about keys of earlier versions. */
    List<String> warnings(Map<String, String> settings) {
        return Options.warnings(settings, options);
    }

    /** Keys and values in turn, in their order. */
    private static Map<String, String> examples(String... words) {
        Map<String, String> examples = new LinkedHashMap<>();
        for (int i = 0; i < words.length; i += 2) {
            examples.put(words[i], words[i + 1]);
        }
        return examples;
    }
}
