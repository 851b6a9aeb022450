// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.Bdt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.cli.launch.Narrator;
import io.packing.process.JavaProcess;
import io.packing.rig.MasterRig;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBar;

/** The cost of {@code fsck} and {@code dump} on a mount of many files: a master and each command are processes of their own. */
public final class MetadataBench {
    private static final Duration PATIENCE = Duration.ofMinutes(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private MetadataBench() {}

    /**
     * The size of the mount.
     *
     * @param heapMegabytes of each command
     */
    public record Spec(long files, int fileBytes, int filesPerBlob, int heapMegabytes) {
        public Spec {
            if (files < 1 || fileBytes < Long.BYTES || filesPerBlob < 1 || heapMegabytes < 16) {
                throw new IllegalArgumentException(
                        "at least 1 file of at least 8 bytes, 1 file a blob and 16 MB of heap, not %d, %d, %d and %d"
                                .formatted(files, fileBytes, filesPerBlob, heapMegabytes));
            }
        }
    }

    /**
     * The time and memory of a command.
     *
     * @param cpuSeconds processor time, which others on the machine do not change
     * @param residentMiB the peak of resident memory, as Linux counts it
     */
    public record Taken(
            String command,
            double seconds,
            @JsonProperty("cpu_seconds") double cpuSeconds,
            @JsonProperty("resident_mib") double residentMiB) {
        private Taken as(String name) {
            return new Taken(name, seconds, cpuSeconds, residentMiB);
        }
    }

    /** The result for all commands. */
    public record Result(
            long files,
            long blobs,
            @JsonProperty("dump_file_bytes") long dumpBytes,
            List<Taken> taken) {}

    /** Measures one mount. */
    public static Result run(Spec spec, Narrator narrator) throws IOException, InterruptedException {
        try (Workspace workspace = Workspace.create("packing-metadata")) {
            Path objects = Files.createDirectories(workspace.directory().resolve("objects"));
            MasterRig rig = MasterRig.start(workspace, objects);
            Map<String, String> options =
                    Map.of("packing.store", "file://" + objects, "packing.backup.interval", "10h");
            try (GrpcBdts bdts = GrpcBdts.connect(rig.address(), Duration.ofSeconds(60));
                    Bdt mount = bdts.open(options);
                    ProgressBar bar = narrator.bar("making files", spec.files())) {
                new MetadataRig(mount, objects, spec.fileBytes(), spec.filesPerBlob()).fill(spec.files(), bar::stepBy);
            }
            Path dump = workspace.directory().resolve("dump");
            List<String> target = List.of("--json", "packing://" + rig.address() + "/");
            narrator.accept("fsck, fsck --verify and dump");
            Taken fsck = measure(workspace, rig, spec, "fsck", target);
            Taken verify = measure(workspace, rig, spec, "fsck", with(target, "--verify"));
            Taken dumped = measure(workspace, rig, spec, "dump", with(target, dump.toString()));
            long blobs = (spec.files() + spec.filesPerBlob() - 1) / spec.filesPerBlob();
            return new Result(spec.files(), blobs, Files.size(dump), List.of(fsck, verify.as("fsck --verify"), dumped));
        }
    }

    private static List<String> with(List<String> words, String more) {
        return Stream.concat(words.stream(), Stream.of(more)).toList();
    }

    private static Taken measure(Workspace workspace, MasterRig rig, Spec spec, String command, List<String> words)
            throws IOException, InterruptedException {
        JavaProcess process = rig.command(workspace, command, spec.heapMegabytes(), words);
        double[] peak = new double[2];
        process.await("does not end", PATIENCE, () -> {
            peak[0] = Math.max(peak[0], peakMiB(process.pid()));
            peak[1] = Math.max(peak[1], process.cpu().toMillis() / 1e3);
            return !process.isAlive();
        });
        process.awaitEnd(PATIENCE);
        JsonNode result = JSON.readTree(process.log().toFile());
        if (result.get("files").asLong() != spec.files()
                || result.path("damage").size() != 0) {
            throw new IOException("%s: %s".formatted(command, result));
        }
        return new Taken(command, result.get("seconds").asDouble(), peak[1], peak[0]);
    }

    /** Zero where the system does not tell, or when the process has ended. */
    private static double peakMiB(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/%d/status".formatted(pid))).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToDouble(line ->
                            Double.parseDouble(line.toLowerCase(Locale.ROOT).replaceAll("[^0-9]", "")) / 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
