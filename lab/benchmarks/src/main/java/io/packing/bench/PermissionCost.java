// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.master.table.read.Principal;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A benchmark of a master's checks of owner, group and mode. It leaves out the network, which would hide their cost. A
 * superuser, who passes all checks, and a plain user locate and claim files at one master. They take turns in the order
 * S U U S, so that a drift of the machine hits both alike; the first round warms up. Files are three directories below
 * the root. Each round prints one line of JSON with ratios of rates, and the last line has their medians.
 *
 * <p>Usage: {@code permissions [files] [rounds]}.
 */
public final class PermissionCost {
    private static final int FILES_PER_DIRECTORY = 1_000;
    private static final int CLAIMS = 500;
    private static final int FILE_BYTES = 8_192;

    private final int files;
    private final Random random = new Random(1);
    private final List<Bdt> tables = new ArrayList<>();
    private final List<WorkerSession> sessions = new ArrayList<>();
    private int made;
    private int turns;

    private PermissionCost(int files) {
        this.files = files;
    }

    public static void main(String[] args) throws Exception {
        int files = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 6;
        Path directory = Files.createTempDirectory("permissions");
        try (BdtMaster master = BdtMaster.start(BdtMasterOptions.from(
                Map.of("bdt.data.dir", directory.resolve("master").toString(), "bdt.stores", "file://" + directory)))) {
            new PermissionCost(files).run(master, directory, rounds);
        } finally {
            Phase.deleteTree(directory);
        }
    }

    private void run(BdtMaster master, Path directory, int rounds) throws Exception {
        Files.createDirectories(directory.resolve("store"));
        Map<String, String> options = Map.of(
                "packing.store", directory.resolve("store").toUri().toString(), "packing.backup.interval", "10h");
        tables.add(master.open(options));
        tables.add(master.openAs(new Principal("alice", Set.of("staff"), false), options));
        for (int i = 0; i < tables.size(); i++) {
            sessions.add(tables.get(i).register(new WorkerRegistration("bench-" + i, "127.0.0.1:1")));
        }
        AttributeChange open = new AttributeChange(Optional.empty(), Optional.of("staff"), OptionalInt.of(0775));
        done(tables.get(0)
                .mkdir(new FilePath("/warehouse/events"), new DirectoryAttributes("hdfs", "staff", 0775), true));
        done(tables.get(0).setAttributes(FilePath.ROOT, open));
        fill();
        List<Double> locates = new ArrayList<>();
        List<Double> claims = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            double[] locate = {0, 0};
            double[] claim = {0, 0};
            for (int who : List.of(0, 1, 1, 0)) {
                locate[who] += locates(tables.get(who));
                claim[who] += claims(sessions.get(who));
            }
            if (round > 0) {
                locates.add(locate[0] / locate[1]);
                claims.add(claim[0] / claim[1]);
                System.out.println(Measure.json(figures(locate, claim)));
            }
        }
        Map<String, Double> medians = new LinkedHashMap<>();
        medians.put("locate_checked_to_unchecked", median(locates));
        medians.put("claim_checked_to_unchecked", median(claims));
        System.out.println(Measure.json(medians));
    }

    private Map<String, Double> figures(double[] locate, double[] claim) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("locates_per_second", 2.0 * files / locate[0]);
        figures.put("checked_locates_per_second", 2.0 * files / locate[1]);
        figures.put("claims_per_second", 2.0 * claimsOfATurn() / claim[0]);
        figures.put("checked_claims_per_second", 2.0 * claimsOfATurn() / claim[1]);
        return figures;
    }

    private int claimsOfATurn() {
        return files / 5 / CLAIMS * CLAIMS;
    }

    private static double median(List<Double> all) {
        return all.stream().sorted().toList().get(all.size() / 2);
    }

    private static void done(Outcome outcome) {
        if (outcome != Outcome.DONE) {
            throw new IllegalStateException("refused: " + outcome);
        }
    }

    private static FilePath path(int number) {
        return new FilePath("/warehouse/events/part-%05d/file-%07d".formatted(number / FILES_PER_DIRECTORY, number));
    }

    private void fill() throws IOException {
        AttributeChange hdfs = new AttributeChange(Optional.of("hdfs"), Optional.of("staff"), OptionalInt.of(0640));
        for (; made < files; made += FILES_PER_DIRECTORY) {
            List<Operation> operations = new ArrayList<>();
            operations.add(new Operation.MakeDirectory(
                    path(made).parent().orElseThrow(), new DirectoryAttributes("hdfs", "staff", 0775), true));
            for (int i = 0; i < FILES_PER_DIRECTORY; i++) {
                operations.add(new Operation.CreateFile(path(made + i), hdfs, false));
            }
            if (!(tables.get(0).apply(new OperationVector(List.of(), operations)) instanceof VectorResult.Applied)) {
                throw new IllegalStateException("the files were not made");
            }
        }
    }

    /** Measures the seconds of one locate for each file. */
    private double locates(Bdt table) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < files; i++) {
            if (table.locate(path(random.nextInt(files))).isEmpty()) {
                throw new IllegalStateException("a file is gone");
            }
        }
        return Measure.seconds(start);
    }

    /** Measures the seconds of claims of new files, in a new directory for each turn. */
    private double claims(WorkerSession session) throws Exception {
        turns++;
        FileAttributes attributes = new FileAttributes(FILE_BYTES, 1_700_000_000_000L, "alice", "staff", 0644);
        long start = System.nanoTime();
        for (int first = 0; first < claimsOfATurn(); first += CLAIMS) {
            List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
            for (int i = first; i < first + CLAIMS; i++) {
                FilePath path = new FilePath("/warehouse/events/turn-%d/file-%07d".formatted(turns, i));
                claims.add(session.claim(new Claim(session.newFileId(), path, attributes, true, false)));
            }
            for (CompletableFuture<ClaimResult> claim : claims) {
                if (!(claim.get() instanceof ClaimResult.Granted)) {
                    throw new IllegalStateException("refused: " + claim.get());
                }
            }
        }
        return Measure.seconds(start);
    }
}
