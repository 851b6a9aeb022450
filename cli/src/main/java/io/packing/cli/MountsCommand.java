package io.packing.cli;

import io.packing.bdt.MountEntry;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.client.FederationClient;
import io.packing.bdt.client.GrpcBdts;
import io.packing.cli.launch.Home;
import io.packing.cli.operate.FederationReport;
import io.packing.cli.operate.MountReport;
import io.packing.cli.operate.SharedOptionsReport;
import io.packing.options.PriceTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells how the mounts of a master are, and spreads mounts over groups of masters. */
@Command(
        name = "mounts",
        description = {
            "Tells of each mount that a BDT master has open: files, blobs, bytes, what waits for the store and for how"
                    + " long, workers, requests and what they cost.",
            "Requests are those of the master since it opened the mount, and of workers as far as they told them since"
                    + " then. Exit code 4 when a mount has lost files, else 1 when one has a problem.",
            "Where mounts are spread over groups of masters, list tells which group has which mount, assign says where a new"
                    + " mount is to be, and move brings a mount to another group while it is used.",
            "Options that a mount has for all who use it, such as packing.durability: create makes a mount with them, set changes"
                    + " them, show tells them.",
            "accept goes on with a mount of which a recovery could not read all objects."
        })
final class MountsCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 250;

    // A group, so that the commands below need it and not this one before them.
    @ArgGroup(exclusive = false, multiplicity = "0..1")
    private @Nullable OperatorTarget target;

    @Mixin
    private PricesArgument prices = new PricesArgument();

    @Mixin
    private Report report = new Report();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        OperatorTarget named = target;
        if (named == null) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(), "Missing required option: '--master=HOST:PORT'");
        }
        PriceTable table = prices.read(Home.find());
        try (GrpcBdts bdts = named.connect()) {
            List<MountReport> mounts = bdts.operations().mounts().stream()
                    .map(status -> MountReport.of(status, table))
                    .toList();
            report.print(mounts, out -> {
                if (mounts.isEmpty()) {
                    out.println("no mount is open: a master opens one when the first client or worker asks for it");
                }
                mounts.forEach(mount -> mount.print(out));
            });
            if (mounts.stream().anyMatch(MountReport::hasLost)) {
                return ExitCodes.CORRUPT;
            }
            return mounts.stream().allMatch(mount -> mount.problem().isEmpty()) ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }

    @Command(name = "list", description = "Tells which group of masters has which mount.")
    int list(@Mixin OperatorTarget master, @Mixin Report told) throws IOException {
        try (GrpcBdts bdts = master.connect()) {
            FederationReport groups = FederationReport.of(bdts.groups().table());
            told.print(groups, groups::print);
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "assign",
            description =
                    "Says which group of masters is to have a mount that no group has yet. Without that, a mount is"
                            + " the group's that is asked for it first.")
    int assign(
            @Mixin OperatorTarget master,
            @Mixin Report told,
            @Parameters(paramLabel = "STORE", description = "Where the mount's blobs are: its packing.store.")
                    String store,
            @Parameters(paramLabel = "GROUP", description = "A group of bdt.mounts.groups.") String group)
            throws IOException {
        try (GrpcBdts bdts = master.connect()) {
            MountEntry entry = bdts.groups().assign(store, group);
            told.print(
                    FederationReport.Mount.of(entry),
                    out -> out.println("mount %s is one of group %s".formatted(entry.mount(), entry.group())));
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "move",
            description = {
                "Brings a mount to another group of masters while it is used, and tells how far that is.",
                "Changes wait for a moment when the other group takes over. When this command is ended, the move goes"
                        + " on; the same command tells how far it is, or begins it again when a master ended on the way."
            })
    int move(
            @Mixin OperatorTarget master,
            @Mixin Report told,
            @Parameters(paramLabel = "MOUNT", description = "The mount's name, as list tells it, or its packing.store.")
                    String mount,
            @Parameters(paramLabel = "GROUP", description = "A group of bdt.mounts.groups.") String group)
            throws IOException, InterruptedException {
        try (GrpcBdts bdts = master.connect()) {
            FederationClient groups = bdts.groups();
            String name = FederationReport.name(groups.table().mounts(), mount);
            MoveProgress progress = groups.move(name, group, true);
            while (!progress.isOver()) {
                if (!told.isJson()) {
                    print(told.err(), name, progress);
                }
                Thread.sleep(LOOK_MILLIS);
                progress = groups.move(name, group, false);
            }
            FederationReport.Move done = FederationReport.Move.of(name, progress);
            told.print(done, done::print);
            return progress.state() == MoveProgress.State.DONE ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }

    @Command(
            name = "create",
            description = {
                "Makes a mount, with the options that it has for all who use it. Fails when it is there already.",
                "Clients and workers need not name these options then; those that name others are refused."
            })
    int create(
            @Mixin SharedOptionsTarget master,
            @Mixin Report told,
            @Parameters(paramLabel = "STORE", description = "Where the mount's blobs are to be: its packing.store.")
                    String store)
            throws IOException {
        try (GrpcBdts bdts = master.connect()) {
            SharedOptionsReport made = SharedOptionsReport.of(bdts.terms().create(master.at(store)));
            told.print(made, made::print);
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "set",
            description = {
                "Changes options that a mount has for all who use it.",
                "The master works by them when this command ends. Workers take packing.durability, packing.dedup and"
                        + " packing.encryption.key at their next start."
            })
    int set(
            @Mixin SharedOptionsTarget master,
            @Mixin Report told,
            @Parameters(paramLabel = "MOUNT", description = "The name of a mount that is open, or a packing.store.")
                    String mount)
            throws IOException {
        if (master.terms().isEmpty()) {
            throw new IllegalArgumentException(
                    "nothing to set: name an option that the mount has for all, such as --option packing.gc.grace=2h");
        }
        try (GrpcBdts bdts = master.connect()) {
            SharedOptionsReport changed =
                    SharedOptionsReport.of(bdts.terms().set(master.name(bdts, mount), master.terms()));
            told.print(changed, changed::print);
        }
        return ExitCodes.OK;
    }

    @Command(name = "show", description = "Tells the options that a mount has for all who use it.")
    int show(
            @Mixin SharedOptionsTarget master,
            @Mixin Report told,
            @Parameters(paramLabel = "MOUNT", description = "The name of a mount that is open, or a packing.store.")
                    String mount)
            throws IOException {
        try (GrpcBdts bdts = master.connect()) {
            SharedOptionsReport shown = SharedOptionsReport.of(bdts.terms().show(master.name(bdts, mount)));
            told.print(shown, shown::print);
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "accept",
            description = {
                "Goes on with a mount of which a recovery could not read all objects: it is no problem any more that"
                        + " files may be older than what was written.",
                "packing fsck names the objects and the files. Before this command, an object that is put back is read"
                        + " by another recovery.",
                "Lost bytes that only snapshots, or clones of directories, keep are no problem any more, either.",
                "The note on changes that a recovery may have undone ends."
            })
    int accept(
            @Mixin OperatorTarget master,
            @Mixin Report told,
            @Parameters(
                            paramLabel = "MOUNT",
                            description = "The mount's name, as mounts tells it, or its packing.store.")
                    String mount)
            throws IOException {
        try (GrpcBdts bdts = master.connect()) {
            List<String> unread = bdts.operations().accept(mount);
            told.print(unread, out -> {
                unread.forEach(each -> out.println("goes on without %s".formatted(each)));
                if (unread.isEmpty()) {
                    out.println("there is nothing to accept");
                }
            });
        }
        return ExitCodes.OK;
    }

    private static void print(PrintWriter to, String name, MoveProgress progress) {
        to.println("%s to %s: %,d rows, %,d MB"
                .formatted(name, progress.group(), progress.rows(), progress.bytes() / 1_000_000));
        to.flush();
    }
}
