// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The page docs/commands.md: a section for each command of {@code packing --help}, made from the commands themselves. A
 * row that several siblings have stands once, above them.
 */
final class CommandsPage {
    /** Flags that the head of the page explains for all commands. */
    private static final Set<String> EVERYWHERE = Set.of("--help", "--version", "--verbose", "--json", "--timeout");

    /** Optional flags of a synopsis, such as {@code [--call=CALL[,CALL...]]...}. */
    private static final Pattern OPTIONAL = Pattern.compile("\\[(?:-(?:[^\\[\\]]|\\[[^]]*])*|COMMAND)](?:\\.\\.\\.)?");

    /** Texts of the help that the head of the page says in place of each command. */
    private static final List<String> SHARED = List.of(
            RegistryTarget.PLACE,
            MastersArgument.MOUNT,
            "The mount, as " + MountUri.FORM + "; then the",
            "The mount, or a directory of it, as " + MountUri.FORM + "; then the",
            "The mount, or a directory of it, as " + MountUri.FORM + "; then",
            "The masters, as " + MountUri.FORM + "; then the",
            "The masters, as " + MountUri.FORM + ";",
            "A path of the mount, or " + MountUri.FORM + ".",
            "A path of the mount, or " + MountUri.FORM + ";",
            "A path of the mount, or " + MountUri.FORM,
            "Paths of the mount, or " + MountUri.FORM + ".",
            ", or " + MountUri.FORM + ", which names the mount, too",
            "A directory of the mount.",
            "A file of the mount.",
            "Name of the snapshot.",
            "The name of a context.",
            "An option of mounts; only packing.tls.* and packing.insecure are looked at. May be repeated.",
            " May be repeated.");

    /** The longest description that is one paragraph. */
    private static final int LONG = 600;

    private static final String OF_MOUNTS = "An option of this process for the mount;";

    private final StringBuilder text = new StringBuilder();

    private CommandsPage() {}

    /** Returns the page. */
    static String of(CommandLine program) {
        CommandsPage page = new CommandsPage();
        page.head(program);
        for (CommandGroups group : CommandGroups.ALL) {
            Map<CommandLine, String> commands = new LinkedHashMap<>();
            group.lines().forEach((name, line) -> {
                if (!name.equals("help")) {
                    commands.put(Objects.requireNonNull(program.getSubcommands().get(name)), line);
                }
            });
            if (!commands.isEmpty()) {
                page.line("## " + group.title());
                Set<String> above = page.shared(commands.keySet());
                commands.forEach((command, line) -> page.section(command, line, above));
            }
        }
        return page.text.toString();
    }

    private void head(CommandLine program) {
        line("# Commands");
        line(
                "<!-- Made from the program: CONTRIBUTING.md says how. A test fails when the page is older than the program. -->");
        line(
                "For everyone who types commands; a page to look things up in. `bin/packing COMMAND --help` prints a command's part.");
        text.append(
                "- `PATH`, and `FILE` or `DIRECTORY` of a mount: `packing://[MOUNT@]HOST[:PORT]/PATH`, or a path below the mount that"
                        + " `PACKING_MOUNT` or the current [context](#packing-context) names\n");
        text.append(
                "- `MOUNT`: `packing://[MOUNT@]HOST[:PORT][,HOST[:PORT]...]/`, by default that of `PACKING_MOUNT` or of the current"
                        + " context. For `registry` and `layers` it has the path of the directory where the registry is kept.\n");
        text.append(
                "- `--help`, `--version`, and `--verbose`, which prints the stack trace of a failure: every command\n");
        text.append(
                "- `--json`: print one JSON value instead of text; names are in small letters with `_` between words. Not for "
                        + without(program, "--json") + ".\n");
        text.append(
                "- `--timeout DURATION`: how long to try to reach the master: seconds, or such as `500ms` (default: 4 s)\n");
        text.append(
                "- `--option KEY=VALUE`: an [option of the mount](options.md) for this process, where a command has no other meaning"
                        + " below. `mounts`, `top`, `drain` and `token` look only at `packing.tls.*` and `packing.insecure`.\n\n");
        line(
                "An option whose value is a `KEY=VALUE` may be repeated. A usage line has no optional flags; they follow it.");
    }

    /** Returns the visible commands that do something and have no such flag, with commas. */
    private static String without(CommandLine command, String flag) {
        return visible(command).stream()
                .flatMap(each -> each.getSubcommands().isEmpty() ? List.of(each).stream() : visible(each).stream())
                .filter(each -> each.getCommandSpec().findOption(flag) == null
                        && !each.getCommandName().equals("help"))
                .map(each ->
                        "`%s`".formatted(each.getCommandSpec().qualifiedName().replaceFirst("^packing ", "")))
                .collect(Collectors.joining(", "));
    }

    private static List<CommandLine> visible(CommandLine command) {
        return new LinkedHashSet<>(command.getSubcommands().values())
                .stream()
                        .filter(each -> !each.getCommandSpec().usageMessage().hidden())
                        .toList();
    }

    private void line(String words) {
        text.append(words).append("\n\n");
    }

    private void section(CommandLine command, String line, Set<String> above) {
        line("### " + command.getCommandSpec().qualifiedName());
        List<CommandLine> below = visible(command);
        List<CommandLine> all = new ArrayList<>(below);
        if (!below.isEmpty() && !rows(command).isEmpty()) {
            all.add(0, command);
        }
        int start = text.length();
        Set<String> shared = new LinkedHashSet<>(above);
        shared.addAll(shared(all));
        String rows = text.substring(start);
        text.setLength(start);
        body(command, line, shared);
        text.append(rows);
        below.forEach(each -> body(each, each.getCommandName(), shared));
    }

    /** Appends usage, description and arguments of a command; where it has no description, the line. */
    private void body(CommandLine command, String line, Set<String> above) {
        CommandSpec spec = command.getCommandSpec();
        String usage = command.getHelp().synopsis(0);
        usage = OPTIONAL.matcher(usage.replaceAll("\\s+", " "))
                .replaceAll("")
                .replaceAll("\\s+", " ")
                .strip();
        String[] description = spec.usageMessage().description();
        String all = description.length == 0 ? line : String.join(" ", description);
        // A long description has paragraphs.
        String words = plain(all.length() > LONG ? String.join("\n\n", description) : all);
        line(
                usage.equals(spec.qualifiedName()) && !spec.subcommands().isEmpty()
                        ? words
                        : "`%s`: %s".formatted(usage.replace("%%", "%"), words));
        rows(command).stream().filter(row -> !above.contains(row)).forEach(text::append);
        if (!text.toString().endsWith("\n\n")) {
            text.append('\n');
        }
    }

    /** Appends the rows that several commands have, with the names of the commands, and returns these rows. */
    private Set<String> shared(Collection<CommandLine> commands) {
        Map<String, List<String>> owners = new LinkedHashMap<>();
        for (CommandLine command : commands) {
            for (String row : rows(command)) {
                owners.computeIfAbsent(row, unused -> new ArrayList<>()).add(command.getCommandName());
            }
        }
        owners.values().removeIf(names -> names.size() == 1);
        owners.forEach((row, names) -> {
            List<String> others = commands.stream()
                    .map(CommandLine::getCommandName)
                    .filter(name -> !names.contains(name))
                    .toList();
            String who = others.isEmpty()
                    ? "all"
                    : others.size() < names.size() ? "all but " + String.join(", ", others) : String.join(", ", names);
            text.append(row.replaceFirst("`:", "` (" + who + "):"));
        });
        if (!owners.isEmpty()) {
            text.append('\n');
        }
        return owners.keySet();
    }

    private static List<String> rows(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        List<String> rows = new ArrayList<>();
        for (PositionalParamSpec each : spec.positionalParameters()) {
            row(each.paramLabel(), each, rows);
        }
        for (OptionSpec each : spec.options()) {
            if (!each.hidden() && !EVERYWHERE.contains(each.longestName()) && !isOfMounts(each)) {
                String value = each.arity().max() == 0 ? "" : " " + each.paramLabel();
                row(each.longestName() + value, each, rows);
            }
        }
        return rows;
    }

    private static boolean isOfMounts(OptionSpec option) {
        return option.longestName().equals("--option") && option.description()[0].startsWith(OF_MOUNTS);
    }

    private static void row(String name, ArgSpec spec, List<String> rows) {
        String meaning = String.join(" ", spec.renderedDescription()).replace("%%", "%");
        for (String each : SHARED) {
            meaning = meaning.replace(each, "");
        }
        if (!meaning.replace(".", "").isBlank()) {
            rows.add("- `%s`: %s\n".formatted(name.replace("%%", "%"), plain(meaning.strip())));
        }
    }

    /** Returns a text of the help as Markdown takes it. */
    private static String plain(String help) {
        return help.replace("%%", "%")
                .replace("%n", " ")
                .replace("<", "&lt;")
                .replace("*", "\\*")
                .replaceAll("docs/([a-z-]+)\\.md", "[$1]($1.md)");
    }
}
