// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.Evacuation;
import io.packing.bdt.MountEntry;
import io.packing.bdt.MountHomes;
import io.packing.bdt.MountStatus;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.client.FederationClient;
import io.packing.bdt.client.GrpcBdts;
import io.packing.cli.launch.Home;
import io.packing.cli.operate.EvacuationReport;
import io.packing.cli.operate.FederationReport;
import io.packing.cli.operate.MountReport;
import io.packing.cli.operate.SharedOptionsReport;
import io.packing.options.PriceTable;
import io.packing.store.StoreLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells how the mounts of a master are, and spreads mounts over groups of masters. */
@Command(
        name = "mounts",
        description = {
            "Prints for each open mount of a BDT master: files, blobs, bytes; the files that wait for the store, and for how"
                    + " long; workers; requests and their cost.",
            "Exit code 4 when a mount has lost files, else 1 when one has a problem."
        })
final class MountsCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 250;

    @Mixin
    private OperatorTarget target = new OperatorTarget();

    @Parameters(paramLabel = MastersArgument.MOUNT_LABEL, arity = "0..1", description = MastersArgument.MOUNT)
    private Optional<String> mount = Optional.empty();

    @Mixin
    private PricesArgument prices = new PricesArgument();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException {
        target.mount(mount);
        PriceTable table = prices.read(Home.find());
        try (GrpcBdts bdts = target.connect()) {
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
    int list(
            @Mixin OperatorTarget master,
            @Mixin Report told,
            @Parameters(paramLabel = MastersArgument.MOUNT_LABEL, arity = "0..1", description = MastersArgument.MOUNT)
                    Optional<String> mount)
            throws IOException {
        master.mount(mount);
        try (GrpcBdts bdts = master.connect()) {
            FederationReport groups = FederationReport.of(bdts.groups().table());
            told.print(groups, groups::print);
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "assign",
            description =
                    "Says which group of masters is to have a mount that no group has yet. Without that, the group has it "
                            + "that is asked for it first.")
    int assign(
            @Mixin OperatorTarget master,
            @Mixin Report told,
            @Parameters(
                            paramLabel = "[MOUNT] STORE GROUP",
                            arity = "2..3",
                            hideParamSyntax = true,
                            description = "The masters, as " + MountUri.FORM
                                    + "; where the mount's blobs are; and a group of bdt.mounts.groups.")
                    List<String> words)
            throws IOException {
        List<String> operands = master.operands(words, 2, "STORE GROUP");
        String store = operands.get(0);
        String group = operands.get(1);
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
                "Brings a mount to another group of masters while it is used.",
                "When this command is ended, the move goes on; the same command tells how far it is, or begins it "
                        + "again when a master ended on the way."
            })
    int move(
            @Mixin OperatorTarget master,
            @Mixin Report told,
            @Parameters(
                            paramLabel = "[MASTERS] MOUNT GROUP",
                            arity = "2..3",
                            hideParamSyntax = true,
                            description = "The masters, as " + MountUri.FORM
                                    + "; the mount's id, as list tells it, or its packing.store; and a group of"
                                    + " bdt.mounts.groups.")
                    List<String> words)
            throws IOException, InterruptedException {
        List<String> operands = master.operands(words, 2, "MOUNT GROUP");
        String group = operands.get(1);
        try (GrpcBdts bdts = master.connect()) {
            FederationClient groups = bdts.groups();
            String name = FederationReport.name(groups.table().mounts(), operands.get(0));
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
                "Makes a mount, with options that hold for all its clients. Fails when it is there already.",
                "Clients and workers need not name these options, nor the store; those that name others are refused."
            })
    int create(
            @Mixin SharedOptionsTarget master,
            @Mixin Report told,
            @Option(
                            names = "--store",
                            paramLabel = "STORE",
                            description =
                                    "Where the blobs of the mount are to be: s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, abfs://CONTAINER@ACCOUNT/PREFIX or file:///DIR.")
                    Optional<String> store,
            @Option(names = "--mkdir", description = "Make the directory of a store file:///DIR, if it is not there.")
                    boolean mkdir,
            @Parameters(
                            paramLabel = MastersArgument.MOUNT_LABEL,
                            arity = "0..1",
                            description = "The masters and perhaps a name, as packing://[NAME@]HOST[:PORT]/ (default: "
                                    + Contexts.MOUNT_VARIABLE + ", or the current context).")
                    Optional<String> mount)
            throws IOException {
        master.mountOrName(mount);
        Optional<String> old = mount.filter(word -> !MountUri.isOne(word));
        old.ifPresent(word -> master.tellReplaced("the argument " + word, "--store " + word));
        String where = store.or(() -> old)
                .orElseThrow(() -> new IllegalArgumentException(
                        "--store is missing: where the blobs are to be, such as s3://bucket/prefix or file:///dir"));
        if (mkdir) {
            makeDirectory(where);
        }
        try (GrpcBdts bdts = master.connect()) {
            SharedOptionsReport made =
                    SharedOptionsReport.of(bdts.terms().create(master.name().mount(), master.at(where)));
            told.print(made, made::print);
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "set",
            description = {
                "Changes options of a mount that hold for all its clients.",
                "The master works by them when this command ends. Workers take packing.durability, packing.dedup and"
                        + " packing.encryption.key at their next start."
            })
    int set(
            @Mixin SharedOptionsTarget master,
            @Mixin Report told,
            @Parameters(
                            paramLabel = MastersArgument.MOUNT_LABEL,
                            arity = "0..1",
                            description = MastersArgument.MOUNT + " Or its id, if it is open, or its packing.store.")
                    Optional<String> mount)
            throws IOException {
        master.mountOrName(mount);
        if (master.terms().isEmpty()) {
            throw new IllegalArgumentException(
                    "nothing to set: name an option that the mount has for all, such as --option packing.gc.grace=2h");
        }
        try (GrpcBdts bdts = master.connect()) {
            SharedOptionsReport changed =
                    SharedOptionsReport.of(bdts.terms().set(master.id(bdts, mount), master.terms()));
            told.print(changed, changed::print);
        }
        return ExitCodes.OK;
    }

    @Command(name = "show", description = "Prints the options of a mount that hold for all its clients.")
    int show(
            @Mixin SharedOptionsTarget master,
            @Mixin Report told,
            @Parameters(
                            paramLabel = MastersArgument.MOUNT_LABEL,
                            arity = "0..1",
                            description = MastersArgument.MOUNT + " Or its id, if it is open, or its packing.store.")
                    Optional<String> mount)
            throws IOException {
        master.mountOrName(mount);
        try (GrpcBdts bdts = master.connect()) {
            SharedOptionsReport shown = SharedOptionsReport.of(bdts.terms().show(master.id(bdts, mount)));
            told.print(shown, shown::print);
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "accept",
            description = {
                "Goes on with a mount after a recovery that could not read all objects. The mount is healthy again; "
                        + "files that were written last may be older ones.",
                "packing fsck names objects and files. Until this command, another recovery reads an object that is "
                        + "put back.",
                "Lost bytes that only snapshots or clones of directories keep are accepted, too.",
                "The note on a recovery ends."
            })
    int accept(
            @Mixin OperatorTarget master,
            @Mixin Report told,
            @Parameters(
                            paramLabel = MastersArgument.MOUNT_LABEL,
                            arity = "0..1",
                            description =
                                    MastersArgument.MOUNT + " Or its id, as mounts tells it, or its packing.store.")
                    Optional<String> mount)
            throws IOException {
        Optional<String> name = mount.filter(word -> !MountUri.isOne(word));
        if (name.isEmpty()) {
            master.mount(mount);
        }
        try (GrpcBdts bdts = master.connect()) {
            List<String> unread = bdts.operations().accept(name.isPresent() ? name.get() : master.mountId(bdts));
            told.print(unread, out -> {
                unread.forEach(each -> out.println("goes on without %s".formatted(each)));
                if (unread.isEmpty()) {
                    out.println("there is nothing to accept");
                }
            });
        }
        return ExitCodes.OK;
    }

    @Command(
            name = "evacuate",
            description = {
                "Brings the blobs of a mount to another bucket or store while it is used. New blobs go there at once, old ones are"
                        + " copied; then the mount needs nothing of the old store.",
                "When this command is ended, the evacuation goes on; the same command tells how far it is."
            })
    int evacuate(
            @Mixin SharedOptionsTarget master,
            @Mixin Report told,
            @Option(
                            names = "--to",
                            paramLabel = "STORE",
                            description =
                                    "Where the blobs are to be: an empty prefix. Options such as packing.s3.endpoint are of this store.")
                    Optional<String> to,
            @Option(names = "--abort", description = "Bring the blobs back to the store that they come from.")
                    boolean abort,
            @Option(
                            names = "--copy-rate",
                            paramLabel = "SIZE",
                            converter = ByteSize.class,
                            description =
                                    "The most that the master copies in a second, such as 50m (default: no limit).")
                    Optional<Long> rate,
            @Option(names = "--detach", description = "Do not wait for the end.") boolean detach,
            @Parameters(
                            paramLabel = MastersArgument.MOUNT_LABEL,
                            arity = "0..1",
                            description = MastersArgument.MOUNT + " Or its id, if it is open, or its packing.store.")
                    Optional<String> mount)
            throws IOException, InterruptedException {
        if (abort == to.isPresent()) {
            throw new IllegalArgumentException("name the new store in --to, or --abort: one of the two");
        }
        master.mountOrName(mount);
        try (GrpcBdts bdts = master.connect()) {
            String id = master.id(bdts, mount);
            Evacuation progress = abort
                    ? bdts.operations().abortEvacuation(id)
                    : bdts.operations().evacuate(id, MountHomes.of(master.at(to.get())), rate.orElse(0L));
            while (!detach && !progress.done()) {
                if (!told.isJson()) {
                    EvacuationReport.of(id, progress).print(told.err());
                    told.err().flush();
                }
                Thread.sleep(LOOK_MILLIS * 4);
                progress = progress(bdts, id).orElse(progress);
            }
            EvacuationReport done = EvacuationReport.of(id, progress);
            told.print(done, done::print);
        }
        return ExitCodes.OK;
    }

    /** Returns the progress of an evacuation; empty while the mount is being opened. */
    private static Optional<Evacuation> progress(GrpcBdts bdts, String id) throws IOException {
        return bdts.operations().mounts().stream()
                .filter(status -> status.mount().equals(id))
                .findFirst()
                .flatMap(MountStatus::evacuation);
    }

    /** Makes the directory of a store on this machine. Its parent has to be there: it may be on a disk that is not mounted. */
    private static void makeDirectory(String store) throws IOException {
        if (!(StoreLocation.parse(store) instanceof StoreLocation.Directory directory)) {
            throw new IllegalArgumentException("--mkdir is for stores in a directory, and %s is none".formatted(store));
        }
        if (!Files.isDirectory(directory.path())) {
            Path unused = Files.createDirectory(directory.path());
        }
    }

    private static void print(PrintWriter to, String name, MoveProgress progress) {
        to.println("%s to %s: %,d rows, %,d MB"
                .formatted(name, progress.group(), progress.rows(), progress.bytes() / 1_000_000));
        to.flush();
    }
}
