// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import com.sun.management.OperatingSystemMXBean;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.operations.branch.Branch;
import io.packing.operations.branch.BranchCreation;
import io.packing.operations.branch.BranchDiff;
import io.packing.operations.branch.BranchDrop;
import io.packing.operations.branch.BranchMerge;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A benchmark of branches of a large tree at a BDT master, over gRPC and with synced logs. Each round makes branches, changes
 * files of one of them in all directories of the tree, and files of the origin, compares both, and merges. It prints one line of JSON, with the load of the machine.
 *
 * <p>Usage: {@code branches [files of the tree] [branches] [changed files] [rounds]}.
 */
public final class BranchScale {
    private static final FilePath TREE = new FilePath("/tree");
    private static final int FILES_PER_DIRECTORY = 1_000;

    private final InProcessMaster rig;
    private final int files;

    private BranchScale(InProcessMaster rig, int files) {
        this.rig = rig;
        this.files = files;
    }

    public static void main(String[] args) throws Exception {
        int files = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int branches = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
        int changes = args.length > 2 ? Integer.parseInt(args[2]) : 1_000;
        int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 3;
        try (InProcessMaster rig = InProcessMaster.start("branches")) {
            for (int first = 0; first < files; first += FILES_PER_DIRECTORY) {
                Object unused = rig.claim(
                        TREE.child("part-" + first / FILES_PER_DIRECTORY),
                        "f",
                        Math.min(FILES_PER_DIRECTORY, files - first));
            }
            BranchScale scale = new BranchScale(rig, files);
            for (int round = 0; round < rounds; round++) {
                System.out.println(Measure.json(scale.round(branches, changes, round)));
            }
        }
    }

    private Map<String, Double> round(int branches, int changes, int round) throws Exception {
        Map<String, Double> figures = new LinkedHashMap<>();
        Bdt bdt = rig.mount();
        long start = System.nanoTime();
        BranchCreation.Created made = BranchCreation.create(
                bdt,
                new BranchCreation.Request(
                        TREE,
                        Optional.empty(),
                        Optional.empty(),
                        branches,
                        new DirectoryAttributes("hdfs", "hadoop", 0755)));
        figures.put("create_seconds", Measure.seconds(start));
        figures.put("create_table_mb", made.rowBytes() / 1e6);
        FilePath path = made.branches().get(branches / 2);
        // The branch changes the first file of directories, the origin the last one.
        change(path, changes, 2L * round + 2, 0);
        change(TREE, changes, 2L * round + 3, FILES_PER_DIRECTORY / 2);
        Branch branch = Branch.open(bdt, path, Optional.empty());
        figures.put(
                "branch_diff_ms", diff(changes, visitor -> BranchDiff.ofBranch(bdt, branch, FilePath.ROOT, visitor)));
        figures.put(
                "origin_diff_ms", diff(changes, visitor -> BranchDiff.ofOrigin(bdt, branch, FilePath.ROOT, visitor)));
        long processor = processorNanos();
        start = System.nanoTime();
        BranchMerge.Result result = BranchMerge.merge(bdt, branch, FilePath.ROOT);
        figures.put("merge_ms", Measure.seconds(start) * 1e3);
        figures.put("merge_processor_ms", (processorNanos() - processor) / 1e6);
        if (!(result instanceof BranchMerge.Result.Merged merged) || merged.changes() != changes) {
            throw new IllegalStateException(result.toString());
        }
        start = System.nanoTime();
        BranchDrop.Dropped dropped = BranchDrop.drop(bdt, made.set().path(), Optional.empty());
        figures.put("drop_seconds", Measure.seconds(start));
        figures.put("dropped", (double) dropped.branches());
        figures.put("load", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        return figures;
    }

    /** Returns the processor time of this process: the master's and the client's. */
    private static long processorNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private interface Compared {
        void to(BranchDiff.Visitor visitor) throws IOException;
    }

    private static double diff(int changes, Compared compared) throws IOException {
        int[] count = {0};
        long start = System.nanoTime();
        compared.to(each -> count[0]++);
        double milliseconds = Measure.seconds(start) * 1e3;
        if (count[0] != changes) {
            throw new IllegalStateException("%d changes, and not %d".formatted(count[0], changes));
        }
        return milliseconds;
    }

    /** Replaces files of a tree, as many in each directory as in any other. */
    private void change(FilePath top, int count, long time, int first)
            throws IOException, InterruptedException, ExecutionException {
        int directories = Math.max(1, files / FILES_PER_DIRECTORY);
        FileAttributes attributes = new FileAttributes(1_000, time, "hdfs", "hadoop", 0644);
        List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            FilePath path = top.child("part-" + i % directories).child("f" + (first + i / directories));
            claims.add(rig.session().claim(new Claim(rig.session().newFileId(), path, attributes, true, true)));
        }
        for (CompletableFuture<ClaimResult> each : claims) {
            if (!(each.get() instanceof ClaimResult.Granted)) {
                throw new IllegalStateException("a claim was refused");
            }
        }
    }
}
