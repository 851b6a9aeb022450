package io.packing.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The page docs/commands.md: a section for each command of {@code packing --help}, made from the commands themselves. */
final class CommandsPage {
    /** Flags that the head of the page explains for all commands. */
    private static final Set<String> EVERYWHERE = Set.of("--help", "--version", "--verbose", "--json", "--timeout");

    private static final String OF_MOUNTS = "An option of this process for the mount;";

    private final StringBuilder text = new StringBuilder();

    private CommandsPage() {}

    /** Returns the page. */
    static String of(CommandLine program) {
        CommandsPage page = new CommandsPage();
        page.head();
        for (CommandGroups group : CommandGroups.ALL) {
            List<String> names = group.lines().keySet().stream()
                    .filter(name -> !name.equals("help"))
                    .toList();
            if (names.isEmpty()) {
                continue;
            }
            page.line("## " + group.title());
            for (String name : names) {
                page.section(
                        3,
                        Objects.requireNonNull(program.getSubcommands().get(name)),
                        Objects.requireNonNull(group.lines().get(name)));
            }
        }
        return page.text.toString();
    }

    private void head() {
        line("# Commands");
        line(
                "<!-- Made from the program: CONTRIBUTING.md says how. A test fails when the page is older than the program. -->");
        line(
                "For everyone who types commands; a page to look things up in. `bin/packing COMMAND --help` has the same text.");
        line(
                "A path of a mount is written `packing://[MOUNT@]HOST[:PORT]/PATH`, or without `packing://…` as a path below the"
                        + " mount that `PACKING_MOUNT` or the current [context](#packing-context) names. Every command takes `--help`,"
                        + " `--version` and `--verbose`, which prints the stack trace of a failure. Three flags stand in many synopses,"
                        + " and are explained here only:");
        text.append("| | |\n|---|---|\n");
        text.append(
                "| `--json` | print one JSON value instead of text; names are in small letters with `_` between words |\n");
        text.append(
                "| `--timeout DURATION` | how long to try to reach the master: seconds, or such as `500ms` (default: 4 s) |\n");
        text.append(
                "| `--option KEY=VALUE` | an [option of the mount](options.md) for this process; may be repeated |\n\n");
    }

    private void line(String words) {
        text.append(words).append("\n\n");
    }

    private void section(int depth, CommandLine command, String line) {
        CommandSpec spec = command.getCommandSpec();
        line("%s %s".formatted("#".repeat(depth), spec.qualifiedName()));
        line(plain(line));
        text.append("```text\n").append(synopsis(command)).append("\n```\n\n");
        for (String each : spec.usageMessage().description()) {
            if (!plain(each).equals(plain(line))) {
                line(plain(each));
            }
        }
        arguments(spec);
        Set<CommandLine> below = new LinkedHashSet<>(command.getSubcommands().values());
        for (CommandLine each : below) {
            if (!each.getCommandSpec().usageMessage().hidden()) {
                String[] description = each.getCommandSpec().usageMessage().description();
                section(depth + 1, each, description.length == 0 ? each.getCommandName() : description[0]);
            }
        }
    }

    private static String synopsis(CommandLine command) {
        Help help = command.getHelp();
        return help.synopsis(0).replaceAll("\\s+", " ").strip();
    }

    private void arguments(CommandSpec spec) {
        List<String> rows = new ArrayList<>();
        for (PositionalParamSpec each : spec.positionalParameters()) {
            rows.add(row(each.paramLabel(), each));
        }
        for (OptionSpec each : spec.options()) {
            if (!each.hidden() && !EVERYWHERE.contains(each.longestName()) && !isOfMounts(each)) {
                String value = each.arity().max() == 0 ? "" : " " + each.paramLabel();
                rows.add(row(each.longestName() + value, each));
            }
        }
        if (!rows.isEmpty()) {
            text.append("| | |\n|---|---|\n");
            rows.forEach(text::append);
            text.append('\n');
        }
    }

    private static boolean isOfMounts(OptionSpec option) {
        return option.longestName().equals("--option") && option.description()[0].startsWith(OF_MOUNTS);
    }

    private static String row(String name, ArgSpec spec) {
        String meaning = plain(String.join(" ", spec.renderedDescription()));
        return "| `%s` | %s |\n".formatted(name.replace("|", "\\|").replace("%%", "%"), meaning.replace("|", "\\|"));
    }

    /** Returns a text of the help as Markdown takes it. */
    private static String plain(String help) {
        return help.replace("%%", "%").replace("%n", " ").replace("<", "&lt;").replace("*", "\\*");
    }
}
