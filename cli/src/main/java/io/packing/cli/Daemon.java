package io.packing.cli;

import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import io.packing.placement.ReplicaMode;
import io.packing.registry.nodes.NodeRole;
import io.packing.store.StoreOptions;
import io.packing.worker.api.MountOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A command that runs all the time, and what it can be told.
 *
 * @param arguments beside options
 * @param needed what it does not start without, as examples: values by their keys in a file
 * @param prefix how the keys of its options begin
 * @param required keys of options that it needs
 * @param running those of the options that it takes from its file while it runs
 */
record Daemon(
        String command,
        List<Argument> arguments,
        Map<String, String> needed,
        String prefix,
        List<Option<?>> options,
        List<String> required,
        List<Option<?>> running) {
    /**
     * An argument of a command.
     *
     * @param name long, without dashes
     * @param required whether the command ends without it
     * @param flag whether it has no value on the command line
     * @param parser throws {@link IllegalArgumentException} with what is accepted
     */
    record Argument(String name, boolean required, boolean flag, Function<String, ?> parser) {
        private static Argument required(String name, Function<String, ?> parser) {
            return new Argument(name, true, false, parser);
        }

        private static Argument optional(String name, Function<String, ?> parser) {
            return new Argument(name, false, false, parser);
        }

        private static Argument flag(String name) {
            return new Argument(name, false, true, Parsers::flag);
        }

        /** Returns the parser's complaint about a value; empty: the value is valid. */
        Optional<String> problem(String value) {
            try {
                Object unused = parser.apply(value);
                return Optional.empty();
            } catch (IllegalArgumentException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
    }

    private static final Function<String, Integer> PORT = Parsers.count(0, 65_535);

    static final Daemon BDT_MASTER = new Daemon(
            "bdt-master",
            List.of(),
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
            List.of(
                    Argument.required("master", Daemon::addresses),
                    Argument.required("id", Daemon::workerId),
                    Argument.required("buffer-dir", Daemon::path),
                    Argument.optional("host", Daemon::word),
                    Argument.optional("port", PORT)),
            examples(
                    "worker.master", "127.0.0.1:19990",
                    "worker.id", "worker-1",
                    "worker.buffer-dir", "/var/lib/packing/buffer",
                    "worker.host", "127.0.0.1",
                    "worker.port", "0",
                    "packing.store", "s3://bucket/prefix"),
            "packing.",
            MountOptions.OPTIONS,
            List.of(StoreOptions.STORE.key()),
            MountOptions.TAKEN_RUNNING);

    static final Daemon REGISTRY = new Daemon(
            "registry",
            List.of(
                    Argument.required("store", Daemon::mountUri),
                    Argument.optional("bind", BindAddress::check),
                    Argument.optional("users", Daemon::path),
                    Argument.optional("rights", Daemon::path),
                    Argument.optional("token-keys", Daemon::path),
                    Argument.optional("token-realm", URI::create),
                    Argument.optional("tls-keystore", Daemon::path),
                    Argument.optional("metrics-port", PORT),
                    Argument.flag("read-only"),
                    Argument.flag("no-dedup"),
                    Argument.flag("no-trees"),
                    Argument.flag("rebuild-gzip"),
                    Argument.optional("translate", text -> RegistryCommand.form("registry.translate", text)),
                    Argument.optional("read-ahead", Parsers::bytes),
                    Argument.optional("cache-dir", Daemon::path),
                    Argument.optional("cache-bytes", Parsers::bytes),
                    Argument.optional("users-by", RegistryCache::users),
                    Argument.optional("role", NodeRole::named),
                    Argument.optional("node", Daemon::word),
                    Argument.optional("node-dir", Daemon::path),
                    Argument.optional("nodes", Daemon::path),
                    Argument.optional("replicas", Parsers.count(1, Integer.MAX_VALUE)),
                    Argument.optional("mode", ReplicaMode::named),
                    Argument.optional("node-bytes", Parsers::bytes),
                    Argument.optional("node-key", Daemon::path)),
            examples(
                    "registry.bind", "127.0.0.1:5000",
                    "registry.store", "packing://127.0.0.1:19990/registry",
                    "packing.store", "s3://bucket/prefix"),
            "packing.",
            MountOptions.OPTIONS,
            List.of(StoreOptions.STORE.key()),
            List.of());

    static final List<Daemon> ALL = List.of(BDT_MASTER, WORKER, REGISTRY);
    static final String NAMES = "bdt-master, worker and registry";

    Daemon {
        arguments = List.copyOf(arguments);
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

    Optional<Argument> argument(String name) {
        return arguments.stream().filter(each -> each.name.equals(name)).findFirst();
    }

    /** Returns a line for each missing argument or setting. */
    List<String> missing(Map<String, String> given, Map<String, String> settings) {
        List<String> missing = new ArrayList<>();
        for (Argument each : arguments) {
            if (each.required && !given.containsKey(each.name)) {
                missing.add("%s.%s is missing".formatted(command, each.name));
            }
        }
        for (String key : required) {
            if (settings.getOrDefault(key, "").isBlank()) {
                missing.add("%s is missing".formatted(key));
            }
        }
        return missing;
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

    private static String addresses(String text) {
        for (String each : text.split(",", -1)) {
            Object unused = BindAddress.check(each);
        }
        return text;
    }

    private static String workerId(String text) {
        return new WorkerRegistration(text, "").worker();
    }

    private static Path path(String text) {
        return Path.of(word(text));
    }

    private static URI mountUri(String text) {
        return RegistryTarget.check(URI.create(text));
    }

    private static String word(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("it is empty");
        }
        return text;
    }
}
