// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.tree.Difference;
import io.packing.blob.FilePath;
import io.packing.operations.branch.Branch;
import io.packing.operations.branch.BranchConflict;
import io.packing.operations.branch.BranchCreation;
import io.packing.operations.branch.BranchDiff;
import io.packing.operations.branch.BranchDrop;
import io.packing.operations.branch.BranchList;
import io.packing.operations.branch.BranchMerge;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Branches of directories. */
@Command(
        name = "branch",
        description = {
            "Makes writable branches of a directory, compares them with it, and merges them into it.",
            "A branch is a clone that knows its base: a snapshot of the directory, one for all branches that are made together. "
                    + "No byte is copied, and only changes take space."
        })
final class BranchCommand {
    private static final int MODE = 0755;

    /** The result of a creation, as printed. */
    record Created(int branches, double seconds, long tableBytes, String directory, String base) {}

    /** A branch, as printed. */
    record Listed(String branch, String origin, String base) {
        static Listed of(Branch branch) {
            return new Listed(
                    branch.path().value(),
                    branch.set().origin().value(),
                    branch.set().base().value());
        }
    }

    /** A change, as printed. */
    record Changed(String side, String kind, String path, boolean conflict) {
        static Changed of(BranchDiff.Change change) {
            return new Changed(
                    lower(change.side()), lower(change.kind()), change.path().value(), change.isConflict());
        }

        String line() {
            char letter = Difference.Kind.valueOf(kind.toUpperCase(Locale.ROOT)).letter();
            return "%-6s  %s  .%s%s".formatted(side, letter, path, conflict ? "  conflict" : "");
        }
    }

    /** A conflict, as printed. */
    record Conflict(String path, String branch, String origin) {
        static Conflict of(BranchConflict conflict) {
            return new Conflict(conflict.path().value(), lower(conflict.branch()), lower(conflict.origin()));
        }
    }

    /** The result of a merge, as printed. */
    record Merged(boolean merged, int changes, int operations, double milliseconds, List<Conflict> conflicts) {}

    /** The result of a drop, as printed. */
    record Dropped(int branches, boolean base) {}

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    @Command(
            name = "create",
            description = {
                "Makes branches of a directory, and prints the directory that has them: its entries are the branches, 1 and on.",
                "The caller must own the directory, since a snapshot of it is taken."
            })
    int create(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Option(
                            names = "--count",
                            paramLabel = "N",
                            defaultValue = "1",
                            description = "So many branches (default: 1).")
                    int count,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            description = "The name of the branches' directory (default: the next free number).")
                    Optional<String> name,
            @Option(
                            names = "--in",
                            paramLabel = "PATH",
                            description = "Where the branches' directory is made (default: DIRECTORY.branches).")
                    Optional<String> place,
            @Parameters(paramLabel = "DIRECTORY", description = "A directory of the mount, or " + MountUri.FORM + ".")
                    String directory)
            throws IOException {
        FilePath origin = target.path(directory);
        BranchCreation.Request request = new BranchCreation.Request(
                origin,
                place.map(FilePath::normalise),
                name,
                count,
                new DirectoryAttributes(System.getProperty("user.name"), "", MODE));
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            long start = System.nanoTime();
            BranchCreation.Created made = BranchCreation.create(bdt, request);
            Created created = new Created(
                    made.branches().size(),
                    (System.nanoTime() - start) / 1e9,
                    made.rowBytes(),
                    made.set().path().value(),
                    made.set().base().value());
            report.print(
                    created,
                    out -> out.printf(
                            "%s%n%,d branches in %.3f s, %,d bytes of the table%n",
                            created.directory(), created.branches(), created.seconds(), created.tableBytes()));
        }
        return ExitCodes.OK;
    }

    @Command(name = "list", description = "Lists the branches of a directory, or those in a directory of branches.")
    int list(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Parameters(paramLabel = "DIRECTORY", description = "A directory of the mount.") String directory)
            throws IOException {
        FilePath path = target.path(directory);
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            BranchList.visit(bdt, path, each -> {
                Listed listed = Listed.of(each);
                report.printLine(listed, out -> out.printf("%s  %s%n", listed.branch(), listed.origin()));
            });
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "diff",
            description = {
                "Prints what changed in a branch since its base, and what changed in its origin since then.",
                "The letters: + created, - deleted, M modified. A rename is a deletion and a creation. Paths are relative to the branch.",
                "The changes of a branch cost what they are; those of the origin cost a listing of it."
            })
    int diff(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Mixin BranchArguments branch,
            @Option(names = "--branch-only", description = "Leave out what changed in the origin.") boolean branchOnly)
            throws IOException {
        FilePath path = branch.branch(target);
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            Branch opened = Branch.open(bdt, path, branch.origin());
            BranchDiff.Visitor printed = each -> {
                Changed changed = Changed.of(each);
                report.printLine(changed, out -> out.println(changed.line()));
            };
            BranchDiff.ofBranch(bdt, opened, branch.below(), printed);
            if (!branchOnly) {
                BranchDiff.ofOrigin(bdt, opened, branch.below(), printed);
            }
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "merge",
            description = {
                "Gives the origin all changes of a branch at once, or none of them. The branch stays.",
                "Paths that both changed, and not to the same, are conflicts: they are printed, the origin stays as it is, and the "
                        + "exit code is 1. The attributes of the top directories are not merged."
            })
    int merge(@Mixin MasterTarget target, @Mixin Report report, @Mixin BranchArguments branch) throws IOException {
        FilePath path = branch.branch(target);
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            long start = System.nanoTime();
            Branch opened = Branch.open(bdt, path, branch.origin());
            BranchMerge.Result result = BranchMerge.merge(bdt, opened, branch.below());
            double milliseconds = (System.nanoTime() - start) / 1e6;
            if (result instanceof BranchMerge.Result.Merged done) {
                Merged merged = new Merged(true, done.changes(), done.operations(), milliseconds, List.of());
                report.print(
                        merged,
                        out -> out.printf(
                                "%,d changes are in %s, in %.1f ms%n",
                                merged.changes(), opened.set().origin(), merged.milliseconds()));
                return ExitCodes.OK;
            }
            List<Conflict> conflicts = ((BranchMerge.Result.Conflicting) result)
                    .conflicts().stream().map(Conflict::of).toList();
            Merged merged = new Merged(false, 0, 0, milliseconds, conflicts);
            report.print(merged, out -> {
                conflicts.forEach(each -> out.printf(
                        "conflict  .%s: %s in the branch, %s in the origin%n",
                        each.path(), each.branch(), each.origin()));
                out.printf("%,d conflicts; nothing has changed%n", conflicts.size());
            });
            return ExitCodes.FAILED;
        } catch (BranchMerge.RefusedException e) {
            throw VectorTarget.failure(
                    VectorWords.refusal(e.vector(), e.refused()), e.refused().reason());
        }
    }

    @Command(
            name = "drop",
            description = {
                "Deletes a branch, or a directory of branches with all of them, whether they were merged or not.",
                "With the last branch of its directory, the directory and the base go, too."
            })
    int drop(
            @Mixin MasterTarget target,
            @Mixin Report report,
            @Option(
                            names = "--origin",
                            paramLabel = "PATH",
                            description = "The path that the branched directory has now, if it was renamed.")
                    Optional<String> origin,
            @Parameters(paramLabel = "BRANCH", description = "A branch, or a directory of branches.") String branch)
            throws IOException {
        FilePath path = target.path(branch);
        try (GrpcBdts bdts = target.connect();
                Bdt bdt = bdts.open(target.options())) {
            BranchDrop.Dropped done = BranchDrop.drop(bdt, path, origin.map(FilePath::normalise));
            Dropped dropped = new Dropped(done.branches(), done.isBaseDropped());
            report.print(
                    dropped,
                    out -> out.printf(
                            "%,d branches are deleted%s%n",
                            dropped.branches(), dropped.base() ? ", and their base" : ""));
        }
        return ExitCodes.OK;
    }
}
