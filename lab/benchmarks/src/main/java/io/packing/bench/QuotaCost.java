// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * A benchmark of a master's quotas. It leaves out the network, which would hide their cost. Clients claim files in a
 * mount without quotas, in one with quotas elsewhere, and below three quotas. The cases take turns in the order N E B B
 * E N in one master; the first round warms up. Each round prints one line of JSON with ratios of rates. The last line
 * has their medians, and the speed of counting a tree.
 *
 * <p>Usage: {@code quotas [files of a turn] [rounds]}.
 */
public final class QuotaCost {
    private static final int CLAIMS = 500;
    private static final FileAttributes FILE = new FileAttributes(8_192, 1_700_000_000_000L, "alice", "staff", 0644);
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("alice", "staff", 0755);
    private static final QuotaChange LARGE =
            new QuotaChange(OptionalLong.of(Long.MAX_VALUE), OptionalLong.of(Long.MAX_VALUE));
    private static final FilePath ELSEWHERE = new FilePath("/elsewhere");

    /** The place of quotas in a turn. */
    private enum Turn {
        NONE,
        ELSEWHERE,
        BELOW
    }

    private final int files;
    private final Bdt table;
    private final WorkerSession session;
    private int turns;

    private QuotaCost(int files, Bdt table) throws IOException {
        this.files = files / CLAIMS * CLAIMS;
        this.table = table;
        this.session = table.register(new WorkerRegistration("bench", "127.0.0.1:1"));
    }

    public static void main(String[] args) throws Exception {
        int files = args.length > 0 ? Integer.parseInt(args[0]) : 20_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 6;
        Path directory = Files.createTempDirectory("quotas");
        try (BdtMaster master = BdtMaster.start(BdtMasterOptions.from(
                Map.of("bdt.data.dir", directory.resolve("master").toString(), "bdt.stores", "file://" + directory)))) {
            Path store = Files.createDirectories(directory.resolve("store"));
            Bdt table =
                    master.open(Map.of("packing.store", store.toUri().toString(), "packing.backup.interval", "10h"));
            new QuotaCost(files, table).run(rounds);
        } finally {
            Phase.deleteTree(directory);
        }
    }

    private void run(int rounds) throws Exception {
        make(ELSEWHERE);
        List<Double> elsewhere = new ArrayList<>();
        List<Double> below = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            Map<Turn, Double> seconds = new EnumMap<>(Turn.class);
            for (Turn turn : List.of(Turn.NONE, Turn.ELSEWHERE, Turn.BELOW, Turn.BELOW, Turn.ELSEWHERE, Turn.NONE)) {
                seconds.merge(turn, claims(turn), Double::sum);
            }
            if (round > 0) {
                double none = of(seconds, Turn.NONE);
                elsewhere.add(none / of(seconds, Turn.ELSEWHERE));
                below.add(none / of(seconds, Turn.BELOW));
                Map<String, Double> figures = new LinkedHashMap<>();
                figures.put("claims_per_second", 2.0 * files / none);
                figures.put("claims_per_second_quotas_elsewhere", 2.0 * files / of(seconds, Turn.ELSEWHERE));
                figures.put("claims_per_second_below_three", 2.0 * files / of(seconds, Turn.BELOW));
                System.out.println(Measure.json(figures));
            }
        }
        Map<String, Double> medians = new LinkedHashMap<>();
        medians.put("rate_with_quotas_elsewhere", median(elsewhere));
        medians.put("rate_below_three", median(below));
        medians.put("names_counted_per_second", counted());
        System.out.println(Measure.json(medians));
    }

    private static double of(Map<Turn, Double> seconds, Turn turn) {
        return seconds.getOrDefault(turn, 0.0);
    }

    private double counted() throws IOException {
        long start = System.nanoTime();
        set(FilePath.ROOT, LARGE);
        double seconds = Measure.seconds(start);
        return table.quota(FilePath.ROOT).orElseThrow().names() / seconds;
    }

    private static double median(List<Double> all) {
        return all.stream().sorted().toList().get(all.size() / 2);
    }

    private void make(FilePath directory) throws IOException {
        done(table.mkdir(directory, DIRECTORY, true));
    }

    private void set(FilePath directory, QuotaChange change) throws IOException {
        done(table.setQuota(directory, change));
    }

    private static void done(Outcome outcome) {
        if (outcome != Outcome.DONE) {
            throw new IllegalStateException("refused: " + outcome);
        }
    }

    /** Measures the seconds of claims of new files in a new directory, three below the root. */
    private double claims(Turn turn) throws Exception {
        FilePath top = new FilePath("/turn-" + turns++);
        FilePath middle = top.child("a");
        FilePath lowest = middle.child("b");
        make(lowest);
        List<FilePath> limited = switch (turn) {
            case NONE -> List.of();
            case ELSEWHERE -> List.of(ELSEWHERE);
            case BELOW -> List.of(top, middle, lowest);
        };
        for (FilePath each : limited) {
            set(each, LARGE);
        }
        long start = System.nanoTime();
        for (int first = 0; first < files; first += CLAIMS) {
            List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
            for (int i = first; i < first + CLAIMS; i++) {
                FilePath path = lowest.child("file-%07d".formatted(i));
                claims.add(session.claim(new Claim(session.newFileId(), path, FILE, true, false)));
            }
            for (CompletableFuture<ClaimResult> claim : claims) {
                if (!(claim.get() instanceof ClaimResult.Granted)) {
                    throw new IllegalStateException("refused: " + claim.get());
                }
            }
        }
        double seconds = Measure.seconds(start);
        for (FilePath each : limited) {
            set(each, QuotaChange.CLEAR);
        }
        return seconds;
    }
}
