// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration of a cluster. All ports are free ones on loopback.
 *
 * @param lib the folder with Alluxio's jars ({@code lab/alluxio-runtime/target/alluxio-lib})
 * @param home folder of journals, tiers and logs; created if absent, never deleted
 * @param jobService whether a job master and a job worker run (ASYNC_THROUGH and recursive loads need them)
 * @param startTimeout the most time that one process may take until it is ready
 */
public record ClusterOptions(
        Path lib,
        Path home,
        Size size,
        boolean jobService,
        Properties properties,
        Servers servers,
        Duration startTimeout) {
    /**
     * The size of a cluster.
     *
     * @param workers number of workers
     * @param workerMegabytes cache space of each worker
     * @param masterHeapMegabytes heap of the master, which needs up to 2 KB per file
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
     * The classes and the Java runtime of the servers.
     *
     * @param extensions Alluxio's {@code extensions/} folder, if any
     * @param classPath further entries on the main class path of masters and workers
     * @param java the home of the servers' runtime when it differs from this process's; the servers' main class path
     *     then has only Alluxio's classes
     */
    public record Servers(Optional<Path> extensions, List<Path> classPath, Optional<Path> java) {
        public Servers {
            extensions = extensions.map(Path::toAbsolutePath);
            classPath = List.copyOf(classPath);
        }
    }

    public ClusterOptions {
        lib = lib.toAbsolutePath();
        home = home.toAbsolutePath();
    }

    /** Returns a configuration of two workers with 256 MB each, without a job service. */
    public static ClusterOptions of(Path lib, Path home) {
        return new ClusterOptions(
                lib,
                home,
                new Size(2, 256, 512),
                false,
                new Properties(Map.of(), Map.of()),
                new Servers(Optional.empty(), List.of(), Optional.empty()),
                Duration.ofMinutes(2));
    }

    private ClusterOptions with(Size other) {
        return new ClusterOptions(lib, home, other, jobService, properties, servers, startTimeout);
    }

    private ClusterOptions with(Servers other) {
        return new ClusterOptions(lib, home, size, jobService, properties, other, startTimeout);
    }

    public ClusterOptions withMasterHeap(int megabytes) {
        return with(new Size(size.workers, size.workerMegabytes, megabytes));
    }

    public ClusterOptions withWorkers(int workers, int workerMegabytes) {
        return with(new Size(workers, workerMegabytes, size.masterHeapMegabytes));
    }

    public ClusterOptions withJobService() {
        return new ClusterOptions(lib, home, size, true, properties, servers, startTimeout);
    }

    public ClusterOptions withProperties(Map<String, String> master, Map<String, String> worker) {
        return new ClusterOptions(lib, home, size, jobService, new Properties(master, worker), servers, startTimeout);
    }

    public ClusterOptions withExtensions(Path extensions) {
        return with(new Servers(Optional.of(extensions), servers.classPath, servers.java));
    }

    public ClusterOptions withServerClassPath(List<Path> classPath) {
        return with(new Servers(servers.extensions, classPath, servers.java));
    }

    public ClusterOptions withJava(Path java) {
        return with(new Servers(servers.extensions, servers.classPath, Optional.of(java)));
    }
}
