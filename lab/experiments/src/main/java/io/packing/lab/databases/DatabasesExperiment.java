// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.databases;

import com.google.common.collect.Sets;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.FigureSpread;
import io.packing.lab.compare.Median;
import io.packing.lab.compare.RunOrigin;
import io.packing.process.JavaProcess;
import io.packing.rig.Checkout;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * SQLite on a mount for the kernel and on the local disk, in turns; then kills, after which each acknowledged row is looked for.
 *
 * @param transactions of a turn, of one row each
 * @param rounds turns of each side
 * @param kills of writer, mount and worker for each journal
 * @param mountOptions of the packing mount that differ from those that ship
 */
public record DatabasesExperiment(
        int transactions, int rounds, int kills, Map<String, String> mountOptions, Narrator narrator) {
    private static final String SQLITE = "sqlite";
    private static final String WORKER = "worker-0";
    private static final String MOUNT = "mount";

    /**
     * The transactions a second of one journal.
     *
     * @param mount transactions a second of the rounds on the mount
     * @param disk the same on the local disk
     * @param ratio the median of the mount's rate to the disk's by round
     */
    public record Row(
            String database, SqliteJournal journal, int clients, FigureSpread mount, FigureSpread disk, double ratio) {}

    /**
     * A kill of the writer, the mount and the worker.
     *
     * @param missing acknowledged rows that the database does not have afterwards
     * @param integrity the answer of {@code PRAGMA integrity_check}, which is {@code ok} of a sound database
     */
    public record Kill(
            String database, SqliteJournal journal, int acknowledged, int found, int missing, String integrity) {
        /** Returns what a database has after a kill, beside the rows that were acknowledged before. */
        static Kill of(String database, SqliteJournal journal, Set<Integer> acknowledged, SqliteWriter.Found found) {
            int missing = Sets.difference(acknowledged, found.rows()).size();
            return new Kill(database, journal, acknowledged.size(), found.rows().size(), missing, found.integrity());
        }

        boolean isClean() {
            return missing == 0 && integrity.equals("ok");
        }
    }

    /** All of it. */
    public record Result(List<Row> rows, List<Kill> kills, int transactions, int rounds, RunOrigin origin) {
        public Result {
            rows = List.copyOf(rows);
            kills = List.copyOf(kills);
        }

        /** True if no kill lost an acknowledged row or damaged a database. */
        public boolean isClean() {
            return kills.stream().allMatch(Kill::isClean);
        }

        /** Prints a line for each journal and each kill. */
        public void print(PrintWriter out) {
            origin.lines().forEach(out::println);
            out.printf("%d rounds of %,d transactions of one row, synchronous=FULL%n", rounds, transactions);
            out.printf(
                    "%-9s %-8s %25s %27s %6s%n",
                    "database", "journal", "mount/s (least, most)", "disk/s (least, most)", "ratio");
            for (Row row : rows) {
                out.printf(
                        "%-9s %-8s %,8.0f (%,6.0f, %,6.0f) %,10.0f (%,6.0f, %,6.0f) %6.3f%n",
                        row.database(),
                        row.journal(),
                        row.mount().median(),
                        row.mount().least(),
                        row.mount().most(),
                        row.disk().median(),
                        row.disk().least(),
                        row.disk().most(),
                        row.ratio());
            }
            for (Kill kill : kills) {
                out.printf(
                        "%-9s %-8s killed: %,d rows acknowledged, %,d found, %,d missing, integrity %s%n",
                        kill.database(),
                        kill.journal(),
                        kill.acknowledged(),
                        kill.found(),
                        kill.missing(),
                        kill.integrity());
            }
        }
    }

    /** The mount with the processes that are killed and started again. */
    private static final class KilledMount {
        private final Workspace workspace;
        private final EngineRig rig;
        private final Path directory;
        private JavaProcess worker;
        private JavaProcess keeper;

        KilledMount(Workspace workspace, EngineRig rig, Path directory) throws IOException, InterruptedException {
            this.workspace = workspace;
            this.rig = rig;
            this.directory = directory;
            this.worker = rig.startWorker(workspace, WORKER);
            this.keeper = rig.mount(workspace, MOUNT, directory, List.of());
        }

        /** Kills keeper, server and worker. The keeper dies first: it would start another server. */
        void kill() throws InterruptedException {
            List<ProcessHandle> servers = ProcessHandle.of(keeper.pid()).stream()
                    .flatMap(ProcessHandle::descendants)
                    .toList();
            keeper.kill();
            for (ProcessHandle server : servers) {
                server.destroyForcibly();
            }
            worker.kill();
            for (ProcessHandle server : servers) {
                server.onExit().join();
            }
        }

        void startAgain() throws IOException, InterruptedException {
            worker = rig.startWorker(workspace, WORKER);
            keeper = rig.mount(workspace, MOUNT, directory, List.of());
        }
    }

    /** A directory for databases. */
    private record Side(Path directory, List<Double> rates) {}

    /** Runs it. */
    public Result run() throws IOException, InterruptedException {
        Checkout checkout = Checkout.find();
        try (Workspace workspace = Workspace.create("packing-databases")) {
            SqliteWriter sqlite = SqliteWriter.find(workspace.directory().resolve("scripts"));
            Path disk = Files.createDirectory(workspace.directory().resolve("disk"));
            Path directory = Files.createDirectory(workspace.directory().resolve(MOUNT));
            EngineRig rig = EngineRig.start(workspace, S3Process.Limits.NONE, 0, mountOptions);
            KilledMount mount = new KilledMount(workspace, rig, directory);
            List<Row> rows = new ArrayList<>();
            for (SqliteJournal journal : SqliteJournal.values()) {
                rows.add(measure(sqlite, journal, directory, disk));
            }
            List<Kill> killed = new ArrayList<>();
            for (int kill = 1; kill <= kills; kill++) {
                for (SqliteJournal journal : SqliteJournal.values()) {
                    killed.add(kill(sqlite, journal, mount, "killed-%s-%d.db".formatted(journal, kill)));
                }
            }
            RunOrigin origin = RunOrigin.of(checkout.home().root(), mountOptions);
            return new Result(rows, killed, transactions, rounds, origin);
        }
    }

    private Row measure(SqliteWriter sqlite, SqliteJournal journal, Path directory, Path disk)
            throws IOException, InterruptedException {
        Side mounted = new Side(directory, new ArrayList<>());
        Side local = new Side(disk, new ArrayList<>());
        List<Side> sides = new ArrayList<>(List.of(mounted, local));
        // The first round finds cold JVMs and does not count.
        for (int round = 0; round <= rounds; round++) {
            // A drift of the machine hits both alike.
            Collections.reverse(sides);
            for (Side side : sides) {
                Path database = side.directory().resolve("%s-%d.db".formatted(journal, round));
                double rate = transactions / sqlite.commit(database, journal, transactions);
                narrator.accept("round %d of sqlite %s in %s: %.0f transactions/s"
                        .formatted(round, journal, side.directory().getFileName(), rate));
                if (round > 0) {
                    side.rates().add(rate);
                }
            }
        }
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            ratios.add(mounted.rates().get(round) / local.rates().get(round));
        }
        return new Row(
                SQLITE,
                journal,
                1,
                FigureSpread.of(mounted.rates()),
                FigureSpread.of(local.rates()),
                Median.of(ratios));
    }

    private Kill kill(SqliteWriter sqlite, SqliteJournal journal, KilledMount mount, String name)
            throws IOException, InterruptedException {
        Path database = mount.directory.resolve(name);
        Set<Integer> acknowledged = sqlite.commitUntilKilled(database, journal, transactions, mount::kill);
        mount.startAgain();
        Kill kill = Kill.of(SQLITE, journal, acknowledged, sqlite.check(database));
        narrator.accept("killed sqlite %s: %d rows acknowledged, %d missing, integrity %s"
                .formatted(journal, kill.acknowledged(), kill.missing(), kill.integrity()));
        return kill;
    }
}
