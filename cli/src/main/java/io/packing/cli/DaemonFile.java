package io.packing.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValueType;
import io.packing.options.Nearest;
import io.packing.options.Options;
import io.packing.store.StoreOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        Map<String, String> arguments = new TreeMap<>();
        Map<String, String> options = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        String own = daemon.command() + ".";
        values(daemon, file).forEach((key, value) -> {
            if (SECRETS.contains(key)) {
                problems.add("%s: files are copied and shown; set %s and %s in the environment instead"
                        .formatted(key, MountTarget.ACCESS_VARIABLE, MountTarget.SECRET_VARIABLE));
            } else if (key.startsWith(daemon.prefix())) {
                options.put(key, value);
            } else if (key.startsWith(own) && daemon.arguments().contains(key.substring(own.length()))) {
                arguments.put(key.substring(own.length()), value);
            } else {
                problems.add(unknown(daemon, key));
            }
        });
        try {
            Options unused = Options.check(options, daemon.prefix(), daemon.options());
        } catch (IllegalArgumentException e) {
            problems.addAll(List.of(String.valueOf(e.getMessage()).split("\n", -1)));
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("%s: %s".formatted(file, String.join("\n  ", problems)));
        }
        return new DaemonFile(arguments, options);
    }

    private static String unknown(Daemon daemon, String key) {
        Set<String> known = new TreeSet<>();
        daemon.arguments().forEach(argument -> known.add(daemon.command() + "." + argument));
        daemon.options().forEach(option -> known.add(option.key()));
        return "unknown key '%s'; did you mean '%s'?".formatted(key, Nearest.to(key, known));
    }

    private static Map<String, String> values(Daemon daemon, Path file) {
        Map<String, String> values = new TreeMap<>();
        try {
            Config environment = ConfigFactory.systemEnvironmentOverrides();
            Config written = ConfigFactory.parseFile(
                    file.toFile(), ConfigParseOptions.defaults().setAllowMissing(false));
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
     * The words of a command line, with what the file says that {@code --config} names in the place of that flag. What stands on
     * the command line already is left out.
     */
    static List<String> expand(List<String> words) {
        int at = flag(words);
        if (words.isEmpty() || at < 0 || Daemon.find(words.get(0)).isEmpty()) {
            return words;
        }
        boolean joined = words.get(at).startsWith(FLAG + "=");
        if (!joined && at + 1 == words.size()) {
            // The command says what is missing.
            return words;
        }
        String file = joined ? words.get(at).substring(FLAG.length() + 1) : words.get(at + 1);
        List<String> rest = new ArrayList<>(words.subList(0, at));
        rest.addAll(words.subList(at + (joined ? 1 : 2), words.size()));
        DaemonFile read = read(Daemon.named(words.get(0)), Path.of(file));
        List<String> all = new ArrayList<>(rest);
        read.arguments.forEach((name, value) -> {
            String flag = "--" + name;
            if (rest.stream().noneMatch(word -> word.equals(flag) || word.startsWith(flag + "="))) {
                // Joined: a value that begins as a flag or a file of arguments does stays a value.
                all.add(flag + "=" + value);
            }
        });
        read.options.forEach((key, value) -> {
            if (rest.stream()
                    .noneMatch(word -> word.startsWith(key + "=") || word.startsWith(OPTION + "=" + key + "="))) {
                all.add(OPTION + "=" + key + "=" + value);
            }
        });
        return all;
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
