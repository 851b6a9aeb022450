// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.suite;

import io.packing.cli.launch.Narrator;
import io.packing.lab.anvil.CloneExperiment;
import io.packing.lab.direct.DirectStore;
import io.packing.lab.figure.Throughput;
import io.packing.lab.hadoop.HadoopIngest;
import io.packing.lab.packing.AlluxioIngest;
import io.packing.lab.packing.ColdRead;
import io.packing.lab.packing.DedupExperiment;
import io.packing.lab.packing.DoorExperiment;
import io.packing.lab.packing.EngineDoorIngest;
import io.packing.lab.packing.HBaseExperiment;
import io.packing.lab.packing.IngestResult;
import io.packing.lab.packing.SizesExperiment;
import io.packing.lab.totalcow.PageCacheOverwrites;
import io.packing.lab.totalcow.SharedRead;
import io.packing.options.PriceTable;
import io.packing.rig.AlluxioRig;
import io.packing.rig.Checkout;
import io.packing.rig.DirectoryRig;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs experiments, each in a workspace of its own that it removes. */
public record Experiments(Checkout checkout, Narrator narrator) {
    private static final String WORKSPACE = "packing-experiment";

    /** The servers of an experiment, beside the BDT master. */
    public record Servers(S3Process.Limits limits, int workers, Map<String, String> mountOptions) {
        public Servers {
            if (workers < 1) {
                throw new IllegalArgumentException("--workers must be positive");
            }
            mountOptions = Map.copyOf(mountOptions);
        }

        /** Returns the servers with these options, unless the mount has its own. */
        Servers with(Map<String, String> defaults) {
            Map<String, String> options = new HashMap<>(defaults);
            options.putAll(mountOptions);
            return new Servers(limits, workers, options);
        }
    }

    private interface Run<R, T> {
        T on(R rig) throws IOException, InterruptedException;
    }

    private <T> T onEngine(Servers servers, Run<EngineRig, T> run) throws IOException, InterruptedException {
        return besideDirect(servers, narrator, (rig, directs) -> run.on(rig));
    }

    private <T> T onAlluxio(Servers servers, long files, Run<AlluxioRig, T> run, Consumer<String> told)
            throws IOException, InterruptedException {
        try (Workspace workspace = Workspace.create(WORKSPACE)) {
            return run.on(AlluxioRig.start(
                    checkout, workspace, servers.limits(), servers.workers(), files, servers.mountOptions(), told));
        }
    }

    /** An experiment on a mount over a directory. */
    public interface OnDirectory<T> {
        T on(DirectoryRig rig) throws IOException, InterruptedException;
    }

    /** Runs one on a mount over a directory. */
    public <T> T onDirectory(OnDirectory<T> run, Map<String, String> mountOptions)
            throws IOException, InterruptedException {
        try (Workspace workspace = Workspace.create(WORKSPACE)) {
            narrator.accept("starting a BDT master and a worker over a directory");
            return run.on(DirectoryRig.start(workspace, mountOptions));
        }
    }

    /** Measures the page cache after overwrites on a mount for the kernel. */
    public List<PageCacheOverwrites.Row> pageCache(PageCacheOverwrites overwrites, Map<String, String> mountOptions)
            throws IOException, InterruptedException {
        try (Workspace workspace = Workspace.create(WORKSPACE)) {
            narrator.accept("starting an S3 server, a BDT master, a worker and a mount for the kernel");
            return overwrites.run(workspace, EngineRig.start(workspace, S3Process.Limits.NONE, 1, mountOptions));
        }
    }

    /** HBase on a packing mount, beside HBase on HDFS. */
    public HBaseExperiment.Result hbase(HBaseExperiment experiment) throws IOException, InterruptedException {
        try (Workspace workspace = Workspace.create(WORKSPACE)) {
            return experiment.run(checkout, workspace);
        }
    }

    /** Measures the cost of clones and snapshots. */
    public CloneExperiment.Result clones(CloneExperiment experiment) throws IOException, InterruptedException {
        try (Workspace workspace = Workspace.create(WORKSPACE)) {
            narrator.accept("starting an S3 server, a BDT master and a worker");
            EngineRig rig = EngineRig.start(workspace, S3Process.Limits.NONE, 1, CloneExperiment.MOUNT_OPTIONS);
            return experiment.run(rig, new CloneExperiment.LogDisk() {
                @Override
                public long bytes() throws IOException {
                    return logBytes(workspace.directory());
                }

                @Override
                public Path directory() {
                    return workspace.directory();
                }
            });
        }
    }

    /** Bytes of the files of the masters' logs below a directory. */
    private static long logBytes(Path directory) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file :
                    files.filter(each -> each.toString().contains("/log/")).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    /** The ingest experiment at the door of Java programs. */
    public IngestResult ingestEngine(EngineDoorIngest ingest, Servers servers)
            throws IOException, InterruptedException {
        return besideDirect(servers, narrator, ingest::run);
    }

    /** The ingest experiment at Alluxio's door, beside its own S3 under file system. */
    public IngestResult ingestAlluxio(AlluxioIngest ingest, Servers servers) throws IOException, InterruptedException {
        return onAlluxio(servers, ingest.mostFiles(), ingest::run, ingest.progress());
    }

    /** The ingest experiment at Hadoop's door. */
    public IngestResult ingestHadoop(HadoopIngest ingest, Servers servers) throws IOException, InterruptedException {
        return besideDirect(servers, ingest.progress(), ingest::run);
    }

    private interface BesideDirect<T> {
        T on(EngineRig rig, DirectStore directs) throws IOException, InterruptedException;
    }

    private <T> T besideDirect(Servers servers, Consumer<String> told, BesideDirect<T> run)
            throws IOException, InterruptedException {
        try (Workspace workspace = Workspace.create(WORKSPACE)) {
            told.accept("starting an S3 server, a BDT master and %d worker(s)".formatted(servers.workers()));
            EngineRig rig = EngineRig.start(workspace, servers.limits(), servers.workers(), servers.mountOptions());
            return run.on(rig, new DirectClients(rig, workspace.directory().resolve("hadoop")));
        }
    }

    /** Measures the cost of packing behind Alluxio. */
    public DoorExperiment.Result door(DoorExperiment door, Servers servers) throws IOException, InterruptedException {
        return onAlluxio(servers, door.allFiles(), door::run, narrator);
    }

    /** The cold read of one directory. */
    public ColdRead.Result read(ColdRead read, Servers servers) throws IOException, InterruptedException {
        return onEngine(servers, read::run);
    }

    /** Clones of a file, read at once. */
    public SharedRead.Result sharedRead(SharedRead read, Servers servers) throws IOException, InterruptedException {
        try (Workspace workspace = Workspace.create(WORKSPACE)) {
            return read.run(
                    EngineRig.start(workspace, servers.limits(), servers.workers(), servers.mountOptions()), workspace);
        }
    }

    /** Measures the savings and the cost of sharing equal files. */
    public DedupExperiment.Result dedup(DedupExperiment experiment, Servers servers)
            throws IOException, InterruptedException {
        return experiment.run(new DedupExperiment.Rigs() {
            @Override
            public <T> T with(Map<String, String> options, DedupExperiment.Measure<T> measure)
                    throws IOException, InterruptedException {
                return onEngine(servers.with(options), measure::on);
            }
        });
    }

    /** Throughput by file size. */
    public Throughput sizes(SizesExperiment sizes, PriceTable prices, Servers servers)
            throws IOException, InterruptedException {
        return sizes.run(measure -> besideDirect(servers, narrator, measure::on), prices);
    }
}
