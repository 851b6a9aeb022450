// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/**
 * The commands in groups, with one line each, as {@code packing --help} and the page of commands show them.
 *
 * @param title of the group
 * @param lines by the names of the commands, in their order
 */
record CommandGroups(String title, Map<String, String> lines) {
    /** The longest line: a terminal of 80 columns shows it behind the name. */
    static final int LONGEST = 70;

    static final List<CommandGroups> ALL = List.of(
            group(
                    "Daemons",
                    "bdt-master",
                    "Runs a master, which keeps the tables of mounts.",
                    "worker",
                    "Runs a worker, which buffers, packs and pushes the files of a mount.",
                    "registry",
                    "Runs an OCI registry over a mount.",
                    "s3",
                    "Runs a gateway that shows a mount as buckets of S3.",
                    "config",
                    "Prints and checks files that configure daemons."),
            group(
                    "Files",
                    "ls",
                    "Lists a directory.",
                    "stat",
                    "Describes a file or directory.",
                    "cat",
                    "Writes files to standard output.",
                    "put",
                    "Writes a file of this machine into a mount.",
                    "get",
                    "Brings a file of a mount to this machine.",
                    "rm",
                    "Deletes files and directories.",
                    "mkdir",
                    "Makes a directory.",
                    "move",
                    "Moves a file, a directory or a range of bytes; also called mv.",
                    "copy",
                    "Copies trees between mounts, local directories, buckets and HDFS.",
                    "adopt",
                    "Makes files of the objects of a bucket, and copies no byte.",
                    "repack",
                    "Packs small adopted files, within a budget of bytes.",
                    "clone",
                    "Makes a file, directory or range that shares the bytes of another.",
                    "punch",
                    "Deletes a range of bytes of a file.",
                    "write-at",
                    "Replaces bytes of a file.",
                    "vector",
                    "Applies operations of a JSON file together, or none of them.",
                    "du",
                    "Counts files and bytes of a tree, shared bytes once.",
                    "dedup",
                    "Lets files with equal bytes share them.",
                    "locate",
                    "Tells in which blobs the bytes of a file are.",
                    "blob",
                    "Lists, prints, extracts and verifies the files in a blob.",
                    "mount",
                    "Mounts a directory as a file system of the kernel.",
                    "volume",
                    "Makes volumes, and serves them as block devices over NBD."),
            group(
                    "Operations",
                    "context",
                    "Gives mounts names, and says which one is meant.",
                    "mounts",
                    "Makes mounts, tells how they are, and spreads them over groups.",
                    "masters",
                    "Tells who the masters of a group are, and removes one.",
                    "top",
                    "Shows again and again what happens in the mounts of a master.",
                    "flush",
                    "Pushes all that workers buffer to the store.",
                    "drain",
                    "Makes a worker leave without losing a file.",
                    "snapshot",
                    "Keeps directories as they are, compares and restores them.",
                    "branch",
                    "Makes writable branches of a directory, and merges them.",
                    "quota",
                    "Limits the names and bytes of directories.",
                    "fsck",
                    "Checks a mount, and repairs damage.",
                    "doctor",
                    "Tells which credentials and store this machine would use.",
                    "gc",
                    "Tells which blobs collection would delete.",
                    "dump",
                    "Writes the table of a mount as text.",
                    "load",
                    "Makes the files of a dump.",
                    "token",
                    "Issues, renews and cancels tokens of users."),
            group(
                    "Containers",
                    "pull",
                    "Pulls an image without the files that were pulled before.",
                    "layers",
                    "Shows layers of images to container engines, without a pull.",
                    "bisect",
                    "Finds the first image of a repository by which a command fails.",
                    "csi",
                    "Runs a CSI driver: volumes of Kubernetes in a mount."),
            group("Traces", "trace", "Records, reads, converts, replays and analyzes traces of calls."),
            group(
                    "Models",
                    "simulate",
                    "Runs experiments of the storage simulator.",
                    "estimate",
                    "Estimates the bill and the time of an ingest, direct and packed.",
                    "audit-price",
                    "Holds a predicted bill against the one that the store counted."),
            group("Help", "help", "Shows the help of a command."));

    private static CommandGroups group(String title, String... words) {
        Map<String, String> lines = new LinkedHashMap<>();
        for (int i = 0; i < words.length; i += 2) {
            lines.put(words[i], words[i + 1]);
        }
        return new CommandGroups(title, lines);
    }

    /** Returns what shows the commands in their groups in the help of the program. */
    static IHelpSectionRenderer renderer() {
        return help -> {
            StringBuilder text = new StringBuilder();
            for (CommandGroups group : ALL) {
                text.append(System.lineSeparator())
                        .append(group.title())
                        .append(':')
                        .append(System.lineSeparator());
                group.lines().forEach((name, line) -> {
                    if (help.subcommands().containsKey(name)) {
                        text.append("  %-11s %s%n".formatted(name, line));
                    }
                });
            }
            return text.toString();
        };
    }

    /** Shows the commands of a program in groups. */
    static CommandLine grouped(CommandLine program) {
        Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>(program.getHelpSectionMap());
        sections.put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST, renderer());
        sections.put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, CommandGroups::nothing);
        // Only the program's own help: commands list those below them as before.
        Map<String, IHelpSectionRenderer> usual = new LinkedHashMap<>(program.getHelpSectionMap());
        program.setHelpSectionMap(sections);
        program.getSubcommands().values().forEach(each -> each.setHelpSectionMap(usual));
        return program;
    }

    private static String nothing(Help unused) {
        return "";
    }
}
