// SPDX-License-Identifier: Apache-2.0
package io.packing.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.library.Architectures;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A test of the rules between modules, which ARCHITECTURE.md describes.
 *
 * <p>{@code PackageRulesTest} has the rules between packages, {@code LibraryRulesTest} those of libraries, and
 * {@code StyleRulesTest} those of sources.
 */
class LayerRulesTest {
    private static final String OPTIONS = "io.packing.options..";
    private static final String CACHE = "io.packing.cache..";
    private static final String PLACEMENT = "io.packing.placement..";
    private static final String BUFFERS = "io.packing.buffers..";
    private static final String DURABLE = "io.packing.durable..";
    private static final String ENCRYPTION = "io.packing.encryption..";
    private static final String SPANS = "io.packing.spans..";
    private static final String PAGES = "io.packing.pages..";
    private static final String VERSION = "io.packing.version..";
    private static final String BLOB = "io.packing.blob..";
    private static final String TRACE = "io.packing.trace";
    private static final String TRACE_SYNTH = "io.packing.trace.synth..";
    private static final String HTFS = "io.packing.htfs..";

    private static final String SIMULATOR = "io.packing.sim..";
    private static final String TRACE_HADOOP = "io.packing.trace.hadoop..";
    private static final String TRACE_SYSCALLS = "io.packing.trace.syscalls..";
    private static final String TRACE_ANALYSIS = "io.packing.trace.analysis..";
    private static final String STORE = "io.packing.store..";
    private static final String S3_SERVER = "io.packing.s3server..";
    private static final String STATUS = "io.packing.status..";
    private static final String TRANSPORT = "io.packing.transport..";
    private static final String SORTED = "io.packing.sorted..";
    private static final String MASTER = "io.packing.bdt.master..";
    private static final String RAFT = "io.packing.bdt.raft..";
    private static final String WORKER = "io.packing.worker..";
    private static final String UFS = "io.packing.ufs..";
    private static final String PLUGIN = "io.packing.plugin..";
    private static final String HADOOP = "io.packing.hadoop..";
    private static final String REGISTRY = "io.packing.registry..";
    private static final String S3_GATEWAY = "io.packing.s3gateway..";
    private static final String NBD = "io.packing.nbd..";
    private static final String VOLUMES = "io.packing.volumes..";
    private static final String FUSE = "io.packing.[fuse|fuse.mount]";
    private static final String POSIX = "io.packing.fuse.posix..";
    private static final String LAYERS = "io.packing.layers..";
    private static final String CSI = "io.packing.csi..";
    private static final String CLUSTER = "io.packing.cluster..";
    private static final String PROCESS = "io.packing.process..";
    private static final String STORE_SERVERS = "io.packing.storeservers..";
    private static final String POWER = "io.packing.power..";
    private static final String HBASE = "io.packing.hbase..";
    private static final String OPERATIONS = "io.packing.operations..";
    private static final String CLI = "io.packing.cli..";
    private static final String RIG = "io.packing.rig..";
    private static final String EXPERIMENTS = "io.packing.lab..";
    private static final String CHAOS = "io.packing.chaos..";

    private static final String BENCHMARKS = "io.packing.bench..";
    private static final String FUZZ = "io.packing.fuzz..";
    private static final String[] BDT_API = {
        "io.packing.bdt", "io.packing.bdt.rpc..", "io.packing.bdt.client..", "io.packing.bdt.tree.."
    };

    /** The packages of the modules below {@code lab}. */
    private static final String[] LABORATORY = {
        RIG,
        EXPERIMENTS,
        CHAOS,
        BENCHMARKS,
        FUZZ,
        CLUSTER,
        HBASE,
        PROCESS,
        STORE_SERVERS,
        S3_SERVER,
        POWER,
        "io.packing.simulation..",
        "io.packing.certificates..",
        "io.packing.help..",
        "io.packing.linear..",
        "io.packing.seed.."
    };

    @Test
    void formatsAndTheLowestModulesKnowOnlyTheJdk() {
        classes()
                .that()
                .resideInAPackage(BLOB)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        BLOB,
                        BUFFERS,
                        ENCRYPTION,
                        "java..",
                        "javax.crypto..",
                        "org.jspecify..",
                        "com.github.luben.zstd")
                .check(ProjectClasses.ALL);
        for (String own :
                List.of(TRACE, OPTIONS, CACHE, PLACEMENT, BUFFERS, DURABLE, ENCRYPTION, SPANS, PAGES, VERSION, FUSE)) {
            classes()
                    .that()
                    .resideInAPackage(own)
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(own, "java..", "javax.crypto..", "org.jspecify..")
                    .check(ProjectClasses.ALL);
        }
        classes()
                .that()
                .resideInAPackage(STATUS)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        STATUS,
                        PAGES,
                        VERSION,
                        "java..",
                        "com.sun.net.httpserver..",
                        "com.sun.management..",
                        "org.jspecify..")
                .check(ProjectClasses.ALL);
    }

    /** The product does not know the laboratory: no class that ships uses one of it. */
    @Test
    void theProductKnowsNothingOfTheLaboratory() {
        noClasses()
                .that()
                .resideOutsideOfPackages(LABORATORY)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(LABORATORY)
                .check(ProjectClasses.ALL);
    }

    /** Two packages that need each other are one, or hide a third. */
    @Test
    void noPackagesNeedEachOtherInACircle() {
        SlicesRuleDefinition.slices()
                .matching("io.packing.(**)")
                .should()
                .beFreeOfCycles()
                .check(ProjectClasses.ALL);
    }

    /** A layer is a module, or a part of one that other modules may not know as a whole. */
    @Test
    void dependenciesPointDownTheModuleList() {
        Architectures.layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("io.packing..")
                .layer("options")
                .definedBy(OPTIONS)
                .layer("cache-policies")
                .definedBy(CACHE)
                .layer("layer-placement")
                .definedBy(PLACEMENT)
                .layer("buffers")
                .definedBy(BUFFERS)
                .layer("durable-files")
                .definedBy(DURABLE)
                .layer("encryption")
                .definedBy(ENCRYPTION)
                .layer("spans")
                .definedBy(SPANS)
                .layer("pages")
                .definedBy(PAGES)
                .layer("blob-format")
                .definedBy(BLOB)
                .layer("object-store")
                .definedBy(STORE)
                .layer("s3-server")
                .definedBy(S3_SERVER)
                .layer("sorted-store")
                .definedBy(SORTED)
                .layer("status-server")
                .definedBy(STATUS)
                .layer("transport")
                .definedBy(TRANSPORT)
                .layer("bdt-api")
                .definedBy(BDT_API)
                .layer("bdt-master")
                .definedBy(MASTER)
                .layer("bdt-raft")
                .definedBy(RAFT)
                .layer("worker-buffer")
                .definedBy(WORKER)
                .layer("packing-ufs")
                .definedBy(UFS)
                .layer("packing-plugin")
                .definedBy(PLUGIN)
                .layer("packing-hadoop")
                .definedBy(HADOOP)
                .layer("oci-registry")
                .definedBy(REGISTRY)
                .layer("s3-gateway")
                .definedBy(S3_GATEWAY)
                .layer("nbd-protocol")
                .definedBy(NBD)
                .layer("packing-volumes")
                .definedBy(VOLUMES)
                .layer("fuse-protocol")
                .definedBy(FUSE)
                .layer("packing-fuse")
                .definedBy(POSIX)
                .layer("packing-layers")
                .definedBy(LAYERS)
                .layer("packing-csi")
                .definedBy(CSI)
                .layer("processes")
                .definedBy(PROCESS)
                .layer("store-servers")
                .definedBy(STORE_SERVERS)
                .layer("power-loss")
                .definedBy(POWER)
                .optionalLayer("hbase-cluster")
                .definedBy(HBASE)
                .optionalLayer("alluxio-cluster")
                .definedBy(CLUSTER)
                .layer("trace-htfs")
                .definedBy(HTFS)
                .optionalLayer("trace-synth")
                .definedBy(TRACE_SYNTH)
                .optionalLayer("simulator")
                .definedBy(SIMULATOR)
                .layer("trace-hadoop")
                .definedBy(TRACE_HADOOP)
                .optionalLayer("trace-syscalls")
                .definedBy(TRACE_SYSCALLS)
                .optionalLayer("trace-analysis")
                .definedBy(TRACE_ANALYSIS)
                .layer("operations")
                .definedBy(OPERATIONS)
                .layer("cli")
                .definedBy(CLI)
                .layer("rig")
                .definedBy(RIG)
                .layer("experiments")
                .definedBy(EXPERIMENTS)
                .layer("chaos")
                .definedBy(CHAOS)
                .layer("benchmarks")
                .definedBy(BENCHMARKS)
                .layer("fuzz")
                .definedBy(FUZZ)
                .whereLayer("benchmarks")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("fuzz")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("chaos")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("experiments")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("rig")
                .mayOnlyBeAccessedByLayers("experiments", "chaos")
                .whereLayer("cli")
                .mayOnlyBeAccessedByLayers("rig", "experiments", "chaos")
                .whereLayer("operations")
                .mayOnlyBeAccessedByLayers("cli", "experiments", "benchmarks")
                .whereLayer("packing-ufs")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("packing-plugin")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("packing-hadoop")
                .mayOnlyBeAccessedByLayers("experiments", "benchmarks")
                .whereLayer("packing-csi")
                .mayOnlyBeAccessedByLayers("cli", "benchmarks")
                .whereLayer("packing-layers")
                .mayOnlyBeAccessedByLayers("cli", "experiments", "chaos")
                .whereLayer("oci-registry")
                .mayOnlyBeAccessedByLayers("packing-layers", "s3-gateway", "cli", "experiments", "chaos", "fuzz")
                .whereLayer("s3-gateway")
                .mayOnlyBeAccessedByLayers("cli", "experiments")
                .whereLayer("packing-volumes")
                .mayOnlyBeAccessedByLayers("cli", "benchmarks")
                .whereLayer("nbd-protocol")
                .mayOnlyBeAccessedByLayers("packing-volumes", "cli", "benchmarks")
                .whereLayer("packing-fuse")
                .mayOnlyBeAccessedByLayers(
                        "packing-layers", "packing-csi", "cli", "experiments", "chaos", "benchmarks", "fuzz")
                .whereLayer("fuse-protocol")
                .mayOnlyBeAccessedByLayers(
                        "packing-fuse",
                        "packing-layers",
                        "packing-csi",
                        "cli",
                        "rig",
                        "experiments",
                        "chaos",
                        "benchmarks",
                        "fuzz")
                .whereLayer("alluxio-cluster")
                .mayOnlyBeAccessedByLayers("rig", "experiments")
                .whereLayer("hbase-cluster")
                .mayOnlyBeAccessedByLayers("rig", "experiments")
                .whereLayer("processes")
                .mayOnlyBeAccessedByLayers(
                        "store-servers", "alluxio-cluster", "hbase-cluster", "rig", "experiments", "chaos")
                .whereLayer("power-loss")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("store-servers")
                .mayOnlyBeAccessedByLayers("rig", "experiments", "chaos")
                .whereLayer("trace-htfs")
                .mayOnlyBeAccessedByLayers("benchmarks")
                .whereLayer("simulator")
                .mayOnlyBeAccessedByLayers("cli", "experiments", "benchmarks")
                .whereLayer("trace-hadoop")
                .mayOnlyBeAccessedByLayers("cli", "experiments")
                .whereLayer("trace-syscalls")
                .mayOnlyBeAccessedByLayers("cli", "experiments", "benchmarks")
                .whereLayer("trace-analysis")
                .mayOnlyBeAccessedByLayers("cli", "experiments", "benchmarks")
                .whereLayer("s3-server")
                .mayOnlyBeAccessedByLayers("rig", "experiments", "chaos", "benchmarks")
                .whereLayer("worker-buffer")
                .mayOnlyBeAccessedByLayers(
                        ("packing-ufs packing-hadoop oci-registry s3-gateway packing-volumes packing-fuse packing-layers "
                                        + "packing-csi operations cli rig experiments chaos benchmarks fuzz")
                                .split(" "))
                .whereLayer("bdt-master")
                .mayOnlyBeAccessedByLayers(
                        "bdt-raft", "packing-plugin", "operations", "cli", "experiments", "benchmarks", "fuzz")
                .whereLayer("bdt-raft")
                .mayOnlyBeAccessedByLayers("cli", "benchmarks")
                .whereLayer("bdt-api")
                .mayOnlyBeAccessedByLayers(
                        ("bdt-master bdt-raft worker-buffer packing-ufs packing-plugin packing-hadoop "
                                        + "oci-registry s3-gateway packing-volumes packing-fuse packing-layers packing-csi operations cli rig "
                                        + "experiments chaos benchmarks fuzz")
                                .split(" "))
                .whereLayer("sorted-store")
                .mayOnlyBeAccessedByLayers("bdt-master", "bdt-raft", "worker-buffer", "cli", "benchmarks", "power-loss")
                .whereLayer("status-server")
                .mayOnlyBeAccessedByLayers(
                        "bdt-master", "worker-buffer", "packing-fuse", "s3-server", "cli", "experiments")
                .whereLayer("pages")
                .mayOnlyBeAccessedByLayers("status-server", "simulator", "trace-analysis", "cli", "experiments")
                .whereLayer("cache-policies")
                .mayOnlyBeAccessedByLayers("simulator", "oci-registry", "benchmarks")
                .whereLayer("layer-placement")
                .mayOnlyBeAccessedByLayers("simulator", "oci-registry", "cli", "experiments")
                .whereLayer("buffers")
                .mayOnlyBeAccessedByLayers(
                        "blob-format", "object-store", "sorted-store", "transport", "bdt-master", "worker-buffer")
                .whereLayer("durable-files")
                .mayOnlyBeAccessedByLayers(
                        "object-store",
                        "sorted-store",
                        "transport",
                        "bdt-master",
                        "bdt-raft",
                        "worker-buffer",
                        "packing-ufs",
                        "oci-registry",
                        "packing-layers",
                        "packing-csi",
                        "cli")
                .whereLayer("transport")
                .mayOnlyBeAccessedByLayers(
                        ("bdt-api bdt-master bdt-raft worker-buffer packing-ufs packing-plugin packing-hadoop "
                                        + "oci-registry s3-gateway packing-fuse packing-layers packing-csi cli experiments benchmarks chaos fuzz")
                                .split(" "))
                .whereLayer("object-store")
                .mayOnlyBeAccessedByLayers(
                        ("bdt-master worker-buffer packing-ufs packing-hadoop oci-registry s3-gateway "
                                        + "packing-fuse operations cli rig experiments chaos benchmarks fuzz")
                                .split(" "))
                .check(ProjectClasses.ALL);
    }
}
