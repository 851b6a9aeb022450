package io.packing.cli.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.cli.compare.Median;
import io.packing.cli.rig.EngineRig;
import io.packing.cli.rig.Narrator;
import io.packing.cli.rig.S3Process;
import io.packing.cli.rig.Workspace;
import io.packing.registry.RegistryConfig;
import io.packing.registry.RegistryServer;
import io.packing.registry.access.Access;
import io.packing.registry.dedup.DedupLimits;
import io.packing.registry.files.MountFiles;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Pushes and pulls images through a registry over a mount, with and without deduplication, and through docker-registry. */
public record ImagesExperiment(Map<String, String> mountOptions, Narrator narrator) {
    private static final String WORKSPACE = "packing-images";
    private static final FilePath BASE = new FilePath("/registry");

    public ImagesExperiment {
        mountOptions = Map.copyOf(mountOptions);
    }

    /**
     * What a registry cost.
     *
     * @param storedBytes bytes that the store has to keep for what is pushed
     * @param pushS seconds until all pushes were answered
     * @param pullS seconds of pulling all images, one blob after the other
     * @param put PUT-class requests to the store, until all is in it
     */
    public record Peer(
            @JsonProperty("stored_bytes") long storedBytes,
            @JsonProperty("push_s") double pushS,
            @JsonProperty("pull_s") double pullS,
            long put) {}

    /**
     * What our registry cost in one mode.
     *
     * @param dedupS seconds from the answer of the last push until all layers were split
     * @param restoreMsP50 median of the pulls of a layer
     */
    public record Mode(
            @JsonProperty("stored_bytes") long storedBytes,
            @JsonProperty("push_s") double pushS,
            @JsonProperty("dedup_s") double dedupS,
            @JsonProperty("pull_s") double pullS,
            long put,
            @JsonProperty("restore_ms_p50") double restoreMsP50) {}

    /**
     * All of it.
     *
     * @param layers different ones
     * @param layerBytes of different layers
     * @param distinctFileBytes of different contents in them
     */
    public record Result(
            int images,
            int layers,
            @JsonProperty("layer_bytes") long layerBytes,
            @JsonProperty("distinct_file_bytes") long distinctFileBytes,
            Peer peer,
            Map<String, Mode> modes,
            @JsonProperty("wrong_digests") long wrongDigests) {
        /** The form for people. */
        public void print(PrintWriter out) {
            out.printf(
                    "%d images, %d layers, %,d bytes, %,d of different files%n",
                    images, layers, layerBytes, distinctFileBytes);
            out.printf("%-16s %16s %8s %8s %8s %8s%n", "", "stored bytes", "push s", "pull s", "PUT", "layer ms");
            out.printf(
                    "%-16s %,16d %8.2f %8.2f %8d%n",
                    "docker-registry", peer.storedBytes(), peer.pushS(), peer.pullS(), peer.put());
            modes.forEach((name, mode) -> out.printf(
                    "%-16s %,16d %8.2f %8.2f %8d %8.1f%n",
                    name, mode.storedBytes(), mode.pushS(), mode.pullS(), mode.put(), mode.restoreMsP50()));
            out.printf("%d wrong digests%n", wrongDigests);
        }
    }

    /** Runs it; what is missing on the machine is an {@link IllegalArgumentException} that says so. */
    public Result run() throws IOException, InterruptedException {
        PeerRegistry.check();
        DebianImages.check();
        try (Workspace images = Workspace.create(WORKSPACE)) {
            ImageSet set = DebianImages.build(images.directory(), narrator);
            long[] wrong = new long[1];
            Peer peer = peer(set, wrong);
            Map<String, Mode> modes = new LinkedHashMap<>();
            modes.put("intact", mode(set, Optional.empty(), wrong));
            modes.put("b0", mode(set, Optional.of(DedupLimits.DEFAULT), wrong));
            long layerBytes =
                    set.layers().stream().mapToLong(ImageSet.Blob::size).sum();
            return new Result(
                    set.images().size(),
                    set.layers().size(),
                    layerBytes,
                    set.distinctFileBytes(),
                    peer,
                    modes,
                    wrong[0]);
        }
    }

    private Peer peer(ImageSet set, long[] wrong) throws IOException, InterruptedException {
        narrator.accept("pushing to docker-registry and pulling");
        try (Workspace workspace = Workspace.create(WORKSPACE)) {
            S3Process s3 = S3Process.start(workspace, S3Process.Limits.NONE);
            try (PeerRegistry peer = PeerRegistry.start(workspace.directory(), s3)) {
                RegistryLoad load = new RegistryLoad(peer.uri());
                double push = load.push(set);
                long put = s3.metrics().prefix(PeerRegistry.PREFIX).put();
                double pull = load.pull(set);
                wrong[0] += load.wrongDigests();
                return new Peer(Programs.bytesBelow(s3.objects()), push, pull, put);
            }
        }
    }

    private Mode mode(ImageSet set, Optional<DedupLimits> dedup, long[] wrong)
            throws IOException, InterruptedException {
        narrator.accept(
                "pushing to a registry over a mount and pulling, " + (dedup.isPresent() ? "deduplicated" : "intact"));
        try (Workspace workspace = Workspace.create(WORKSPACE)) {
            EngineRig rig = EngineRig.start(workspace, S3Process.Limits.NONE, 1, mountOptions);
            try (EngineRig.Client writer = rig.client();
                    RegistryServer server = start(rig, writer, dedup)) {
                RegistryLoad load = new RegistryLoad(server.uri());
                double push = load.push(set);
                long start = System.nanoTime();
                server.awaitDedup();
                double split = (System.nanoTime() - start) / 1e9;
                writer.mount().flush();
                writer.mount().bdt().checkpoint();
                long put = rig.s3().metrics().prefix(EngineRig.PACKED).put();
                long stored = writer.mount().bdt().statistics().packedBytes();
                // Pulled through another client, whose caches are cold.
                try (EngineRig.Client reader = rig.client();
                        RegistryServer cold = start(rig, reader, Optional.empty())) {
                    RegistryLoad pulls = new RegistryLoad(cold.uri());
                    double pull = pulls.pull(set);
                    wrong[0] += pulls.wrongDigests();
                    return new Mode(stored, push, split, pull, put, Median.of(pulls.layerMillis()));
                }
            }
        }
    }

    private static RegistryServer start(EngineRig rig, EngineRig.Client client, Optional<DedupLimits> dedup)
            throws IOException {
        return RegistryServer.start(
                RegistryConfig.local(BASE).withDedup(dedup),
                new MountFiles(client.mount(), MountOptions.from(rig.mountOptions())),
                Access.OPEN,
                new SimpleMeterRegistry());
    }
}
