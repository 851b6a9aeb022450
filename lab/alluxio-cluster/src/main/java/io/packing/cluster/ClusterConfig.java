package io.packing.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What cluster to start. All ports are free ones on loopback.
 *
 * @param lib the folder with Alluxio's jars ({@code lab/alluxio-runtime/target/alluxio-lib})
 * @param home where journals, tiers and logs go; created if absent, never deleted
 * @param workers number of workers
 * @param workerMegabytes cache space of each worker
 * @param masterHeapMegabytes heap of the master, which keeps up to 2 KB a file in it
 * @param jobService whether a job master and a job worker run (ASYNC_THROUGH and recursive loads need them)
 * @param extensions Alluxio's {@code extensions/} folder, if any
 * @param masterProperties further properties of the masters
 * @param workerProperties further properties of the workers and the job worker
 * @param serverClassPath further entries on the main class path of masters and workers
 * @param java the home of the servers' runtime, if it is not this process's; then they have no class of ours on their main class path
 * @param startTimeout how long one process may take until it is ready
 */
public record ClusterConfig(
        Path lib,
        Path home,
        int workers,
        int workerMegabytes,
        int masterHeapMegabytes,
        boolean jobService,
        Optional<Path> extensions,
        Map<String, String> masterProperties,
        Map<String, String> workerProperties,
        List<Path> serverClassPath,
        Optional<Path> java,
        Duration startTimeout) {
    public ClusterConfig {
        if (workers <= 0 || workerMegabytes <= 0 || masterHeapMegabytes <= 0) {
            throw new IllegalArgumentException("%d workers with %d MB, a master with %d MB"
                    .formatted(workers, workerMegabytes, masterHeapMegabytes));
        }
        masterProperties = Map.copyOf(masterProperties);
        workerProperties = Map.copyOf(workerProperties);
        serverClassPath = List.copyOf(serverClassPath);
        lib = lib.toAbsolutePath();
        home = home.toAbsolutePath();
        extensions = extensions.map(Path::toAbsolutePath);
    }

    /** Two workers with 256 MB each, no job service. */
    public static ClusterConfig of(Path lib, Path home) {
        return new ClusterConfig(
                lib,
                home,
                2,
                256,
                512,
                false,
                Optional.empty(),
                Map.of(),
                Map.of(),
                List.of(),
                Optional.empty(),
                Duration.ofMinutes(2));
    }

    public ClusterConfig withMasterHeap(int megabytes) {
        return new ClusterConfig(
                lib,
                home,
                workers,
                workerMegabytes,
                megabytes,
                jobService,
                extensions,
                masterProperties,
                workerProperties,
                serverClassPath,
                java,
                startTimeout);
    }

    public ClusterConfig withWorkers(int workers, int workerMegabytes) {
        return new ClusterConfig(
                lib,
                home,
                workers,
                workerMegabytes,
                masterHeapMegabytes,
                jobService,
                extensions,
                masterProperties,
                workerProperties,
                serverClassPath,
                java,
                startTimeout);
    }

    public ClusterConfig withJobService() {
        return new ClusterConfig(
                lib,
                home,
                workers,
                workerMegabytes,
                masterHeapMegabytes,
                true,
                extensions,
                masterProperties,
                workerProperties,
                serverClassPath,
                java,
                startTimeout);
    }

    public ClusterConfig withExtensions(Path extensions) {
        return new ClusterConfig(
                lib,
                home,
                workers,
                workerMegabytes,
                masterHeapMegabytes,
                jobService,
                Optional.of(extensions),
                masterProperties,
                workerProperties,
                serverClassPath,
                java,
                startTimeout);
    }

    public ClusterConfig withProperties(Map<String, String> masterProperties, Map<String, String> workerProperties) {
        return new ClusterConfig(
                lib,
                home,
                workers,
                workerMegabytes,
                masterHeapMegabytes,
                jobService,
                extensions,
                masterProperties,
                workerProperties,
                serverClassPath,
                java,
                startTimeout);
    }

    public ClusterConfig withServerClassPath(List<Path> serverClassPath) {
        return new ClusterConfig(
                lib,
                home,
                workers,
                workerMegabytes,
                masterHeapMegabytes,
                jobService,
                extensions,
                masterProperties,
                workerProperties,
                serverClassPath,
                java,
                startTimeout);
    }

    public ClusterConfig withJava(Path java) {
        return new ClusterConfig(
                lib,
                home,
                workers,
                workerMegabytes,
                masterHeapMegabytes,
                jobService,
                extensions,
                masterProperties,
                workerProperties,
                serverClassPath,
                Optional.of(java),
                startTimeout);
    }
}
