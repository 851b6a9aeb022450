// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A benchmark of clones and vectors at a BDT master, over gRPC and with synced logs. It clones a small file and one of
 * 100 GB, and locates a clone beside its original. It applies a vector of 1,000 renames beside single renames, and
 * commits a job of 10,000 files in 1,000 tasks. The blobs exist in the table only.
 *
 * <p>Usage: {@code vectors [rounds]}.
 */
public final class VectorScale {
    private static final long LARGE_BYTES = 100L << 30;
    private static final int CLONES = 200;
    private static final int LOCATES = 2_000;
    private static final int RENAMES = 1_000;
    private static final int TASKS = 1_000;
    private static final int FILES_PER_TASK = 10;

    private final InProcessMaster rig;
    private final Bdt mount;
    private int made;

    private VectorScale(InProcessMaster rig) {
        this.rig = rig;
        this.mount = rig.mount();
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        try (InProcessMaster rig = InProcessMaster.start("vectors")) {
            VectorScale scale = new VectorScale(rig);
            for (int round = 0; round < rounds; round++) {
                System.out.println(Measure.json(scale.round()));
            }
        }
    }

    private Map<String, Double> round() throws Exception {
        made++;
        FilePath base = new FilePath("/round-" + made);
        pushed(base.child("small"), InProcessMaster.SMALL);
        pushed(base.child("large"), new FileAttributes(LARGE_BYTES, 1, "hdfs", "hadoop", 0644));
        Map<String, Double> figures = new LinkedHashMap<>();
        double original = locate(base.child("small"));
        long[] small = new long[CLONES];
        long[] large = new long[CLONES];
        // The cases take turns, so that a drift of the machine hits both alike. The first ones share the bytes.
        for (int i = -CLONES / 4; i < CLONES; i++) {
            long ofSmall = clone(base, "small", i);
            long ofLarge = clone(base, "large", i);
            if (i >= 0) {
                small[i] = ofSmall;
                large[i] = ofLarge;
            }
        }
        figures.put("clone_small_ms_p50", Measure.millis(small, 50));
        figures.put("clone_large_ms_p50", Measure.millis(large, 50));
        figures.put("clone_large_to_small", Measure.millis(large, 50) / Measure.millis(small, 50));
        figures.put("locate_clone_to_original", original / locate(base.child("small-clone-0")));
        renames(base, figures);
        commit(base, figures);
        return figures;
    }

    /** Returns the nanoseconds of one clone. */
    private long clone(FilePath base, String name, int number) throws IOException {
        Operation clone = new Operation.CloneFile(
                base.child(name), base.child(name + "-clone-" + number), true, AttributeChange.NONE);
        long start = System.nanoTime();
        rig.apply(List.of(clone));
        return System.nanoTime() - start;
    }

    /** Returns the seconds of one locate, averaged over many. */
    private double locate(FilePath path) throws IOException {
        long start = 0;
        for (int i = -LOCATES / 2; i < LOCATES; i++) {
            start = i == 0 ? System.nanoTime() : start;
            if (mount.locate(path).isEmpty()) {
                throw new IllegalStateException(path + " is gone");
            }
        }
        return Measure.seconds(start) / LOCATES;
    }

    private void renames(FilePath base, Map<String, Double> figures) throws Exception {
        FilePath from = base.child("from");
        List<FileVersion> unused = rig.claim(from, "f", RENAMES);
        if (mount.mkdir(base.child("to"), new DirectoryAttributes("u", "g", 0755), false) != Outcome.DONE) {
            throw new IllegalStateException("no directory");
        }
        long start = System.nanoTime();
        for (int i = 0; i < RENAMES; i++) {
            Outcome outcome = mount.rename(from.child("f" + i), base.child("to").child("f" + i));
            if (outcome != Outcome.DONE) {
                throw new IllegalStateException("rename " + i + ": " + outcome);
            }
        }
        double single = Measure.seconds(start);
        List<Operation> back = new ArrayList<>();
        for (int i = 0; i < RENAMES; i++) {
            back.add(new Operation.Rename(base.child("to").child("f" + i), from.child("f" + i), false));
        }
        start = System.nanoTime();
        rig.apply(back);
        figures.put("vector_to_single_renames", single / Measure.seconds(start));
    }

    private void commit(FilePath base, Map<String, Double> figures) throws Exception {
        List<Operation> merges = new ArrayList<>();
        FilePath output = base.child("output");
        for (int task = 0; task < TASKS; task++) {
            FilePath directory = output.child("_temporary").child("task-" + task);
            List<FileVersion> unused = rig.claim(directory, "part-" + task + "-", FILES_PER_TASK);
            merges.add(new Operation.MergeDirectory(directory, output));
        }
        long start = System.nanoTime();
        rig.apply(merges);
        figures.put("commit_10000_files_ms", Measure.seconds(start) * 1_000);
        if (mount.list(output, "", 10_000).orElseThrow().size() < 10_000) {
            throw new IllegalStateException("the output is not whole");
        }
    }

    /** Adds a file in a blob of its own, with extents as a worker makes them. */
    private void pushed(FilePath path, FileAttributes attributes) throws Exception {
        ClaimResult result = rig.session()
                .claim(new Claim(rig.session().newFileId(), path, attributes, true, false))
                .get();
        FileVersion version = ((ClaimResult.Granted) result).version();
        BlobName blob = new BlobName("bench", 16 + attributes.length(), version.id());
        List<BlobExtent> extents = new ArrayList<>();
        for (long at = 0; at < attributes.length(); at += Extent.MAX_LENGTH) {
            int length = (int) Math.min(Extent.MAX_LENGTH, attributes.length() - at);
            extents.add(new BlobExtent(blob, new Extent(at, length, 16 + at, length, Codec.NONE, (int) at)));
        }
        boolean ended = rig.session()
                .heartbeat(new Heartbeat(
                        0,
                        0,
                        List.of(new PushedBlob(blob, 16 + attributes.length())),
                        List.of(new CommittedFile(version, extents))))
                .lease()
                .isNegative();
        if (ended) {
            throw new IllegalStateException("a lease that has ended");
        }
    }
}
