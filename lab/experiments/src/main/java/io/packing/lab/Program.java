// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.rig.Checkout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A program of another module of the laboratory. It runs in a JVM of its own, with the class path and the heap that it is measured with. */
enum Program {
    CHAOS(
            "",
            "chaos",
            "chaos",
            "io.packing.chaos.ChaosCommand",
            512,
            "Plays seeded rounds of kills, lost directories and store faults, and compares every file with what was acknowledged."),
    FUSE_CHAOS(
            "chaos",
            "fuse",
            "chaos",
            "io.packing.chaos.fuse.FuseChaosCommand",
            512,
            "Plays seeded rounds of kills below mounts for the kernel."),
    SOAK(
            "",
            "soak",
            "chaos",
            "io.packing.chaos.soak.SoakCommand",
            512,
            "Gives real daemons a mixed load for hours; their memory, descriptors, disk and requests have to stay flat. Words:"
                    + " [--hours H] [--seed S] [--pause-millis N] [--leak LEAK] [--dir DIR] [--json]."),
    FUZZ(
            "",
            "fuzz",
            "chaos",
            "io.packing.fuzz.Fuzz",
            512,
            "Attacks living masters and workers. Words: [--seconds N] [--seed S] [--attackers callers,insider,opener,local] [--json]."),
    SIMULATE(
            "",
            "simulate",
            "simulation",
            "io.packing.simulation.ClusterSimulationCommand",
            512,
            "Plays seeded schedules of a whole cluster in one process and in virtual time. Words: [--seed S] [--schedules N]"
                    + " [--operations N] [--json]."),
    FARM(
            "",
            "farm",
            "simulation",
            "io.packing.simulation.farm.FarmCommand",
            512,
            "Plays schedules of the simulation on all cores, keeps a log of them, and stops at the first that fails, with its shrunk"
                    + " story. Words: [--hours H] [--operations N] [--seed S] [--processes P] [--log FILE]."),
    HISTORIES(
            "",
            "histories",
            "simulation",
            "io.packing.simulation.history.HistoriesCommand",
            512,
            "Records the histories of names in simulated clusters, and checks them by this project's checker and by Porcupine. Words:"
                    + " [--histories N] [--broken N] [--seed S] [--operations N] [--go FILE] [--file FILE]."),
    SPECIFICATION(
            "",
            "specification",
            "simulation",
            "io.packing.simulation.specification.SpecificationCommand",
            512,
            "Checks the specification of a mount's protocol by TLC, and recorded schedules against it. Words: [--size SIZE] [--schedules N]"
                    + " [--seed S] [--operations N] [--defect NAME]."),
    BDT_SCALE(
            "bdt-scale",
            "BdtScale",
            512,
            "rates of a master's table, in its process and of calls to it",
            "[files] [leveldb|rocksdb] [milliseconds of a turn of calls]"),
    BUFFER_INSERT("buffer-insert", "BufferInsert", 512, "inserts into a worker's buffer", "[files]"),
    BUFFER_SCALE("buffer-scale", "BufferScale", 512, "memory and restart of a worker's buffer", "[files]"),
    SORTED_STORE("sorted-store", "SortedStoreScale", 512, "the sorted stores beside each other", "[entries]"),
    ENGINE_INGEST(
            "engine-ingest",
            "EngineIngest",
            512,
            "the ingest of small files without a network",
            "[--files N] [--size BYTES] [--threads N] [--rounds N] [--mode put|close] [--dir DIRECTORY] [--snapshots yes] [--distinct yes] [packing.KEY=VALUE ...]"),
    SECURED_INGEST(
            "secured-ingest",
            "SecuredIngest",
            512,
            "the ingest with TLS beside that without",
            "[--files N] [--size BYTES] [--threads N] [--rounds N] [--dir DIRECTORY]"),
    ENCRYPTION(
            "encryption",
            "EncryptedIngest",
            512,
            "the ingest with encryption beside that without",
            "[--files N] [--size BYTES] [--threads N] [--rounds N] [--dir DIRECTORY] [packing.KEY=VALUE ...]"),
    MID_SIZE(
            "mid-size",
            "MidSizeIngest",
            512,
            "files of a few megabytes that share blobs beside such files in blobs of their own",
            "[--files N] [--size BYTES] [--threads N] [--rounds N] [--dir DIRECTORY] [packing.KEY=VALUE ...]"),
    GROUP_INGEST(
            "group-ingest",
            "MasterGroupIngest",
            512,
            "the ingest into a group of masters beside that into one",
            "[--files N] [--size BYTES] [--threads N] [--rounds N] [--dir DIRECTORY] [packing.KEY=VALUE ...]"),
    CREATE_LATENCY(
            "create-latency",
            "CreateLatency",
            512,
            "the time until a created file is safe, beside S3A",
            "[--threads 1,8,32] [--seconds N] [--turns N] [--store-latency MILLIS] [--systems packing,s3a] [--peer NAME=URI ...]"),
    LOG_FLUSH(
            "log-flush",
            "LogFlush",
            512,
            "flushes of a write-ahead log by claims that append, beside claims and vectors",
            "[turns] [flushes of a turn]"),
    PERMISSIONS("permissions", "PermissionCost", 512, "the cost of checks of rights", "[files] [rounds]"),
    READ_THROUGH("read-through", "ReadThrough", 512, "reads through workers", "[small files] [threads] [rounds]"),
    QUOTAS("quotas", "QuotaCost", 512, "the cost of quotas", "[files of a turn] [rounds]"),
    POSIX("posix", "PosixDoor", 512, "a mount for the kernel beside a local directory", "[files] [threads] [rounds]"),
    VECTORS("vectors", "VectorScale", 512, "vectors of operations", "[rounds]"),
    BRANCHES(
            "branches",
            "BranchScale",
            512,
            "branches of a large tree, their differences and merges",
            "[files of the tree] [branches] [changed files] [rounds]"),
    EVACUATE(
            "evacuate",
            "EvacuationScale",
            1_024,
            "the evacuation of a mount to another directory while it is used",
            "[files] [bytes of a file] [files of a blob]"),
    SNAPSHOTS(
            "snapshots",
            "SnapshotScale",
            512,
            "snapshots of small and large trees",
            "[rounds] [files of the large tree]"),
    CSI(
            "csi",
            "CsiScale",
            512,
            "snapshots and clones of a large volume by the CSI driver",
            "[files of the volume] [rounds]"),
    RANDOM_WRITES(
            "random-writes",
            "RandomWrites",
            512,
            "synced writes at random places of one file",
            "[--writes N] [--file-bytes N] [--write-bytes N] [--threads N] [--seconds N] [--dir DIRECTORY] [--json] [packing.KEY=VALUE ...]"),
    COMPACTION_POLICIES(
            "compaction-policies",
            "CompactionPolicies",
            1_024,
            "reads of compacted blobs by the order of their files",
            "[files] [directories] [seed]"),
    VOLUMES(
            "volumes",
            "VolumeWrites",
            512,
            "synced writes to a volume over NBD, and its snapshots",
            "[writes] [bytes of the volume]"),
    VOLUME_IMAGES(
            "volume-images",
            "VolumeImages",
            512,
            "images of disks on volumes that share equal blocks",
            "IMAGE ..., as bin/vm-images builds them"),
    MOUNT_MOVE("mount-move", "MoveScale", 1024, "the move of a mount between groups of masters", "[files] [moves]"),
    CACHE_LRU("cache-lru", "CacheLru", 512, "cache policies beside those of Caffeine", "[rounds] [policy ...]"),
    SIM_STACK("sim-stack", "SimStack", 1024, "the speed of the simulator", "[events of each of 3 machines] [rounds]"),
    HTFS_COST("htfs-cost", "HtfsCost", 512, "the cost of tracing", "[rounds] [REST|WORK] [call]"),
    TRACE_CODEC("trace-codec", "TraceCodec", 1500, "the codec of traces", "[events] [TRACE ...]"),
    COMPRESSION("compression", "CompressionCost", 512, "the cost and gain of compression", "[files] [rounds]"),
    TRACE_ANALYSIS(
            "trace-analysis",
            "TraceAnalysis",
            1024,
            "the analysis of a large trace",
            "[events] [seed] [report directory]"),
    SYSCALL_RECORDING(
            "syscall-recording",
            "SyscallRecording",
            512,
            "the cost of recording system calls",
            "[rounds] [pdf|doc|git ...]");

    private final String parent;
    private final String word;
    private final String module;
    private final String mainClass;
    private final int megabytes;
    private final String description;

    Program(String word, String simpleName, int megabytes, String measured, String words) {
        this(
                "bench",
                word,
                "benchmarks",
                "io.packing.bench." + simpleName,
                megabytes,
                "Measures %s. Words: %s.".formatted(measured, words));
    }

    Program(String parent, String word, String module, String mainClass, int megabytes, String description) {
        this.parent = parent;
        this.word = word;
        this.module = module;
        this.mainClass = mainClass;
        this.megabytes = megabytes;
        this.description = description;
    }

    /** The command that this one is below; empty for the laboratory's own. */
    String parent() {
        return parent;
    }

    /** The command's name. */
    String word() {
        return word;
    }

    /** The command's help. */
    String description() {
        return description;
    }

    /** Returns true for a program that prints its own help. */
    boolean hasHelp() {
        return this == CHAOS || this == FUSE_CHAOS || this == SIMULATE;
    }

    /** The program's main class. */
    String mainClass() {
        return mainClass;
    }

    /** The folder of the module that has the program. */
    String folder() {
        return "lab/" + module;
    }

    /** Returns the options of its JVM. Copies of the JDK's locks use the package that their originals use. */
    private List<String> options() {
        // The second compiler takes more than half of the processor time of a few hundred schedules.
        return folder().equals("lab/simulation")
                ? List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-XX:TieredStopAtLevel=1")
                : List.of();
    }

    /** Runs the program with these words, and returns its exit code. */
    int run(Checkout checkout, List<String> words) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(options());
        options.add("-Dpacking.home=" + checkout.home().root());
        return ProgramProcess.run(checkout.classPath(module), options, mainClass, megabytes, words);
    }
}
