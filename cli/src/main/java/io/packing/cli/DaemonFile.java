// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValueType;
import io.packing.options.Nearest;
import io.packing.options.Options;
import io.packing.options.Parsers;
import io.packing.store.StoreOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A file that configures a daemon, in HOCON: its options under their own keys, and what else its command takes under its name, as
 * {@code worker.master}. The environment goes before the file ({@code CONFIG_FORCE_packing_seal_after=1m}), the command line
 * before both.
 *
 * @param arguments of the command, by their long names without dashes
 * @param options by their keys
 */
record DaemonFile(Map<String, String> arguments, Map<String, String> options) {
    static final String FLAG = "--config";

    private static final String OPTION = "--option";
    private static final Set<String> SECRETS = Set.of(StoreOptions.ACCESS_KEY.key(), StoreOptions.SECRET_KEY.key());

    /**
     * Reads one and checks every key and value of it.
     *
     * @throws IllegalArgumentException naming the file and everything that is wrong in it
     */
    static DaemonFile read(Daemon daemon, Path file) {
        return read(daemon, file, false);
    }

    /** Reads a file that no command line completes: a missing setting is an error, too. */
    static DaemonFile readWhole(Daemon daemon, Path file) {
        return read(daemon, file, true);
    }

    private static DaemonFile read(Daemon daemon, Path file, boolean whole) {
        Map<String, String> arguments = new TreeMap<>();
        Map<String, String> options = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        String own = daemon.command() + ".";
        DaemonArguments known = daemon.arguments();
        values(daemon, file).forEach((key, value) -> {
            if (SECRETS.contains(key)) {
                problems.add("%s: files are copied and shown; set %s and %s in the environment instead"
                        .formatted(key, MountTarget.ACCESS_VARIABLE, MountTarget.SECRET_VARIABLE));
            } else if (key.startsWith(daemon.prefix())) {
                options.put(key, value);
            } else if (key.startsWith(own)
                    && known.find(key.substring(own.length())).isPresent()) {
                String name = key.substring(own.length());
                known.find(name)
                        .flatMap(argument -> known.problem(argument, value))
                        .ifPresent(why -> problems.add("%s: bad value '%s': %s".formatted(key, value, why)));
                arguments.put(name, value);
            } else {
                problems.add(unknown(daemon, key));
            }
        });
        try {
            Options unused = Options.check(options, daemon.prefix(), daemon.options());
        } catch (IllegalArgumentException e) {
            problems.addAll(List.of(String.valueOf(e.getMessage()).split("\n", -1)));
        }
        if (whole) {
            problems.addAll(daemon.missing(arguments, options));
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("%s: %s".formatted(file, String.join("\n  ", problems)));
        }
        return new DaemonFile(arguments, options);
    }

    private static String unknown(Daemon daemon, String key) {
        Set<String> known = new TreeSet<>();
        daemon.arguments().all().forEach(argument -> known.add(daemon.command() + "." + argument.name()));
        daemon.options().forEach(option -> known.add(option.key()));
        return "unknown key '%s'; did you mean '%s'?".formatted(key, Nearest.to(key, known));
    }

    private static Map<String, String> values(Daemon daemon, Path file) {
        Map<String, String> values = new TreeMap<>();
        try {
            Config environment = ConfigFactory.systemEnvironmentOverrides();
            Config written = parse(file);
            // What the environment says of other programs is not this file's.
            Config whole = only(environment, daemon).withFallback(written).resolve();
            whole.entrySet()
                    .forEach(each -> values.put(
                            String.join(".", ConfigUtil.splitPath(each.getKey())), text(whole, each.getKey())));
        } catch (ConfigException e) {
            throw new IllegalArgumentException("%s: %s".formatted(file, e.getMessage()), e);
        }
        return values;
    }

    private static Config only(Config environment, Daemon daemon) {
        Config kept = ConfigFactory.empty();
        for (String part : List.of(daemon.command(), daemon.prefix().replace(".", ""))) {
            if (environment.hasPath(part)) {
                kept = kept.withValue(part, environment.getValue(part));
            }
        }
        return kept;
    }

    /** As it is written: a number keeps its digits. A list is what has commas on the command line. */
    private static String text(Config config, String path) {
        return config.getValue(path).valueType() == ConfigValueType.LIST
                ? String.join(",", config.getStringList(path))
                : config.getString(path);
    }

    /**
     * The daemon that a file is of, by what stands at its top.
     *
     * @throws IllegalArgumentException when it does not say that
     */
    static Daemon daemonOf(Path file) {
        Set<String> top = parse(file).root().keySet();
        List<Daemon> found = Daemon.ALL.stream()
                .filter(daemon -> top.contains(daemon.command())
                        || top.contains(daemon.prefix().replace(".", "")))
                .toList();
        List<Daemon> named =
                found.stream().filter(daemon -> top.contains(daemon.command())).toList();
        List<Daemon> meant = named.isEmpty() ? found : named;
        // A master's file has options only.
        if (meant.size() != 1 || (found.contains(Daemon.BDT_MASTER) && found.size() > 1)) {
            throw new IllegalArgumentException(
                    ("%s: its keys do not say which daemon it is of: 'bdt' is a master's, 'worker' a worker's,"
                                    + " 'registry' a registry's, 's3' an S3 gateway's. Name the daemon before the file: one of %s")
                            .formatted(file, Daemon.NAMES));
        }
        return meant.get(0);
    }

    private static Config parse(Path file) {
        try {
            return ConfigFactory.parseFile(
                    file.toFile(), ConfigParseOptions.defaults().setAllowMissing(false));
        } catch (ConfigException e) {
            throw new IllegalArgumentException("%s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /**
     * The words of a command line, with what the file says that {@code --config} names in the place of that flag. What stands on
     * the command line already is left out.
     */
    static List<String> expand(List<String> words) {
        int at = flag(words);
        Optional<String> command = DaemonLine.of(words);
        if (at < 0 || command.isEmpty()) {
            return words;
        }
        Daemon daemon = Daemon.named(command.get());
        Optional<Path> file = of(words);
        if (file.isEmpty()) {
            // The command says what is missing.
            return words;
        }
        boolean joined = words.get(at).startsWith(FLAG + "=");
        List<String> rest = new ArrayList<>(words.subList(0, at));
        rest.addAll(words.subList(at + (joined ? 1 : 2), words.size()));
        DaemonFile read = read(daemon, file.get());
        List<String> all = new ArrayList<>(rest);
        DaemonArguments known = daemon.arguments();
        read.arguments.forEach((name, value) -> {
            DaemonArguments.Argument argument = known.find(name).orElseThrow();
            boolean off = argument.isValueless() && !Parsers.flag(value);
            if (!off && !argument.isSaidBy(rest)) {
                all.addAll(argument.words(value));
            }
        });
        read.options.forEach((key, value) -> {
            if (!sets(rest, key)) {
                all.add(OPTION + "=" + key + "=" + value);
            }
        });
        return all;
    }

    /** Returns whether a command line has an argument, which then overrides the file. */
    static boolean says(List<String> words, String argument) {
        String flag = "--" + argument;
        return words.stream().anyMatch(word -> word.equals(flag) || word.startsWith(flag + "="));
    }

    /** Returns whether a command line has an option, which then overrides the file. */
    static boolean sets(List<String> words, String key) {
        return words.stream().anyMatch(word -> word.startsWith(key + "=") || word.startsWith(OPTION + "=" + key + "="));
    }

    /** The file that a daemon's command line names. */
    static Optional<Path> of(List<String> words) {
        int at = flag(words);
        if (at < 0 || DaemonLine.of(words).isEmpty()) {
            return Optional.empty();
        }
        boolean joined = words.get(at).startsWith(FLAG + "=");
        if (!joined && at + 1 == words.size()) {
            return Optional.empty();
        }
        return Optional.of(Path.of(joined ? words.get(at).substring(FLAG.length() + 1) : words.get(at + 1)));
    }

    private static int flag(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).equals(FLAG) || words.get(i).startsWith(FLAG + "=")) {
                return i;
            }
        }
        return -1;
    }
}
