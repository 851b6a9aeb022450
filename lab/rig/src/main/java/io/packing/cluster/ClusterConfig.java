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
 * @param jobService whether a job master and a job worker run (ASYNC_THROUGH and recursive loads need them)
 * @param startTimeout how long one process may take until it is ready
 */
public record ClusterConfig(
        Path lib,
        Path home,
        Size size,
        boolean jobService,
        Properties properties,
        Servers servers,
        Duration startTimeout) {
    /**
     * How large it is.
     *
     * @param workers number of workers
     * @param workerMegabytes cache space of each worker
     * @param masterHeapMegabytes heap of the master, which keeps up to 2 KB a file in it
     */
    public record Size(int workers, int workerMegabytes, int masterHeapMegabytes) {
        public Size {
            if (workers <= 0 || workerMegabytes <= 0 || masterHeapMegabytes <= 0) {
                throw new IllegalArgumentException("%d workers with %d MB, a master with %d MB"
                        .formatted(workers, workerMegabytes, masterHeapMegabytes));
            }
        }
    }

    /**
     * Further properties.
     *
     * @param master of the masters
     * @param worker of the workers and the job worker
     */
    public record Properties(Map<String, String> master, Map<String, String> worker) {
        public Properties {
            master = Map.copyOf(master);
            worker = Map.copyOf(worker);
        }
    }

    /**
     * What the servers run with.
     *
     * @param extensions Alluxio's {@code extensions/} folder, if any
     * @param classPath further entries on the main class path of masters and workers
     * @param java the home of the servers' runtime, if it is not this process's; then they have no class of ours on their main class path
     */
    public record Servers(Optional<Path> extensions, List<Path> classPath, Optional<Path> java) {
        public Servers {
            extensions = extensions.map(Path::toAbsolutePath);
            classPath = List.copyOf(classPath);
        }
    }

    public ClusterConfig {
        lib = lib.toAbsolutePath();
        home = home.toAbsolutePath();
    }

    /** Two workers with 256 MB each, no job service. */
    public static ClusterConfig of(Path lib, Path home) {
        return new ClusterConfig(
                lib,
                home,
                new Size(2, 256, 512),
                false,
                new Properties(Map.of(), Map.of()),
                new Servers(Optional.empty(), List.of(), Optional.empty()),
                Duration.ofMinutes(2));
    }

    private ClusterConfig with(Size other) {
        return new ClusterConfig(lib, home, other, jobService, properties, servers, startTimeout);
    }

    private ClusterConfig with(Servers other) {
        return new ClusterConfig(lib, home, size, jobService, properties, other, startTimeout);
    }

    public ClusterConfig withMasterHeap(int megabytes) {
        return with(new Size(size.workers, size.workerMegabytes, megabytes));
    }

    public ClusterConfig withWorkers(int workers, int workerMegabytes) {
        return with(new Size(workers, workerMegabytes, size.masterHeapMegabytes));
    }

    public ClusterConfig withJobService() {
        return new ClusterConfig(lib, home, size, true, properties, servers, startTimeout);
    }

    public ClusterConfig withProperties(Map<String, String> master, Map<String, String> worker) {
        return new ClusterConfig(lib, home, size, jobService, new Properties(master, worker), servers, startTimeout);
    }

    public ClusterConfig withExtensions(Path extensions) {
        return with(new Servers(Optional.of(extensions), servers.classPath, servers.java));
    }

    public ClusterConfig withServerClassPath(List<Path> classPath) {
        return with(new Servers(servers.extensions, classPath, servers.java));
    }

    public ClusterConfig withJava(Path java) {
        return with(new Servers(servers.extensions, servers.classPath, Optional.of(java)));
    }
}
