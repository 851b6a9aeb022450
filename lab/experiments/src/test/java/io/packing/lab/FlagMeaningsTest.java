// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.cli.Main;
import io.packing.help.CommandHelp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** One meaning a flag, in all commands of the product and of the laboratory. */
class FlagMeaningsTest {
    /** The kind of values and the meaning of each flag that several commands have. */
    private static final Map<String, Meaning> MEANINGS = Map.ofEntries(
            flag("--at", Kind.SIZE, "where a range goes in the destination"),
            flag("--bind", Kind.TEXT, "HOST:PORT at which a daemon listens"),
            flag("--blob-max", Kind.SIZE, "the size at which a blob is sealed"),
            flag("--durability", Kind.TEXT, "the loss that a closed file survives"),
            flag("--policy", Kind.TEXT, "which files share a blob"),
            flag("--put-latency", Kind.DURATION, "how much longer a PUT takes"),
            flag("--seal-after", Kind.DURATION, "the longest wait of a buffered file"),
            flag("--store-latency", Kind.DURATION, "how much longer the store and other servers take"),
            flag("--store-rate", Kind.NUMBER, "millions of bytes a second of the network to the store"),
            flag("--bytes", Kind.SIZE, "an amount of bytes: written, or at most"),
            flag("--clients", Kind.NUMBER, "how many clients write or read at once"),
            flag("--clones", Kind.NUMBER, "how many clones"),
            flag("--config", Kind.PATH, "the file of a daemon"),
            flag("--count", Kind.NUMBER, "how many are made, or shown"),
            flag("--daemon", Kind.SWITCH, "return when the mount answers"),
            flag("--direct", Kind.TEXT, "clients without packing, beside it"),
            flag("--dry-run", Kind.SWITCH, "change nothing, and tell what would be done"),
            flag("--files", Kind.NUMBER, "how many files"),
            flag("--hadoop-conf-dir", Kind.PATH, "a directory with Hadoop's configuration"),
            flag("--host", Kind.TEXT, "the name of a machine"),
            flag("--id", Kind.TEXT, "which one this is of the masters or workers"),
            flag("--json", Kind.SWITCH, "print JSON instead of text"),
            flag("--length", Kind.SIZE, "bytes of a range"),
            flag("--metrics-port", Kind.NUMBER, "the port of /metrics and /healthz"),
            flag("--name", Kind.TEXT, "the name of a container"),
            flag("--names", Kind.NUMBER, "how many files and directories"),
            flag("--node-key", Kind.PATH, "a file with the secret of nodes"),
            flag("--not-under", Kind.TEXT, "paths of a trace that are left out"),
            flag("--call", Kind.TEXT, "calls of a trace that are taken"),
            flag("--under", Kind.TEXT, "paths of a trace that are taken"),
            flag("--since", Kind.TEXT, "calls of a trace, or lines of a log, from this time on"),
            flag("--until", Kind.TEXT, "calls of a trace, or lines of a log, before this time"),
            flag("--trace", Kind.PATH, "a trace, which is written or read"),
            flag("--offset", Kind.SIZE, "the first byte of a range"),
            flag("--kills", Kind.NUMBER, "how often a writer of each format or journal is killed"),
            flag("--operations", Kind.NUMBER, "how many operations"),
            flag("--option", Kind.MAP, "an option of the mount, the master or the store"),
            flag("--origin", Kind.TEXT, "the directory that was branched"),
            flag("--out", Kind.PATH, "where results are written"),
            flag("--overwrite", Kind.SWITCH, "replace what is there"),
            flag("--path", Kind.TEXT, "a path below the one that is named"),
            flag("--peers", Kind.TEXT, "masters of a group, and where they speak Raft"),
            flag("--prices", Kind.TEXT, "a price table of conf/prices"),
            flag("--put-limit", Kind.NUMBER, "PUTs per second that the store admits"),
            flag("--rate", Kind.NUMBER, "files per second"),
            flag("--read-only", Kind.SWITCH, "refuse changes"),
            flag("--rebuild-gzip", Kind.SWITCH, "split gzipped layers, too"),
            flag("--records", Kind.NUMBER, "how many rows"),
            flag("--roots", Kind.PATH, "where the roots of containers are mounted here"),
            flag("--rounds", Kind.NUMBER, "how often a measurement is repeated in one run"),
            flag("--runs", Kind.NUMBER, "how many runs, of which medians are taken"),
            flag("--seed", Kind.NUMBER, "from which random numbers are made"),
            flag("--size", Kind.SIZE, "the size of a file"),
            flag("--sizes", Kind.SIZE, "sizes of files"),
            flag("--source-option", Kind.MAP, "an option of the source alone"),
            flag("--speed", Kind.NUMBER, "how many times faster a trace is played"),
            flag("--stacks", Kind.SWITCH, "record which functions made a call"),
            flag("--state", Kind.PATH, "a local directory of a mount's server"),
            flag("--store", Kind.TEXT, "where blobs are: s3://BUCKET/PREFIX or file:///DIR"),
            flag("--task", Kind.TEXT, "a name for what is recorded"),
            flag("--threads", Kind.NUMBER, "how much is done at once"),
            flag("--tls-keystore", Kind.PATH, "a file with the key and certificate of a server"),
            flag("--timeout", Kind.DURATION, "how long to try to reach the master"),
            flag("--user", Kind.TEXT, "for whom"),
            flag("--warm-up", Kind.NUMBER, "what is done before the clock starts"),
            flag("--window", Kind.NUMBER, "files that a client has under way at once"),
            flag("--workers", Kind.NUMBER, "how many workers"),
            flag("--write-type", Kind.TEXT, "Alluxio's write type"),
            flag("--writes", Kind.NUMBER, "how many writes"));

    /** Flags that name a form: which forms there are depends on the command. */
    private static final Set<String> FORMS = Set.of("--from", "--to");

    private static final Set<String> INHERITED = Set.of("--help", "--version", "--verbose");

    private enum Kind {
        SWITCH,
        NUMBER,
        SIZE,
        DURATION,
        PATH,
        MAP,
        TEXT
    }

    private record Meaning(Kind kind, String words) {}

    private static Map.Entry<String, Meaning> flag(String name, Kind kind, String words) {
        return Map.entry(name, new Meaning(kind, words));
    }

    /** The flags that help shows, with the commands that have them. */
    private static Map<String, List<Used>> flags() {
        Map<String, List<Used>> flags = new TreeMap<>();
        Stream.of(Main.commandLine(), LabCommand.commandLine())
                .flatMap(CommandHelp::withSubcommands)
                .distinct()
                .forEach(command -> collect(command, flags));
        return flags;
    }

    private record Used(String command, Kind kind) {}

    private static void collect(CommandLine command, Map<String, List<Used>> flags) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            String name = option.longestName();
            if (!option.hidden() && !INHERITED.contains(name)) {
                flags.computeIfAbsent(name, any -> new ArrayList<>())
                        .add(new Used(command.getCommandSpec().qualifiedName(), kind(option)));
            }
        }
    }

    private static Kind kind(OptionSpec option) {
        if (option.arity().max() == 0) {
            return Kind.SWITCH;
        }
        String converter = option.converters().length == 0
                ? ""
                : option.converters()[0].getClass().getSimpleName();
        Class<?> type = option.typeInfo().isMultiValue() || option.typeInfo().isOptional()
                ? option.auxiliaryTypes()[0]
                : option.type();
        if (option.typeInfo().isMap()) {
            return Kind.MAP;
        } else if (converter.startsWith("Byte") || option.paramLabel().equals("SIZE")) {
            return Kind.SIZE;
        } else if (type == Duration.class || option.paramLabel().equals("DURATION")) {
            return Kind.DURATION;
        } else if (type == Path.class) {
            return Kind.PATH;
        } else if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return Kind.NUMBER;
        }
        return Kind.TEXT;
    }

    @Test
    void aFlagHasOneKindOfValuesInAllCommands() {
        flags().forEach((name, used) -> {
            Set<Kind> kinds = new TreeSet<>(used.stream().map(Used::kind).toList());
            assertThat(kinds).as("%s of %s", name, used).hasSize(1);
        });
    }

    @Test
    void aFlagOfSeveralCommandsIsInTheTableWithItsKind() {
        Map<String, List<Used>> flags = flags();
        Map<String, List<Used>> without = new TreeMap<>(flags);
        without.keySet().removeAll(MEANINGS.keySet());
        without.values().removeIf(used -> used.size() == 1);
        without.keySet().removeAll(FORMS);
        assertThat(without).isEmpty();
        flags.forEach((name, used) -> {
            Meaning meaning = MEANINGS.get(name);
            if (meaning != null) {
                assertThat(used).as(name).allMatch(each -> each.kind() == meaning.kind());
            }
        });
    }
}
