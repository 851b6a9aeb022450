// SPDX-License-Identifier: Apache-2.0
package io.packing.rules;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import io.grpc.Grpc;
import io.grpc.ManagedChannelBuilder;
import io.grpc.ServerBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test that few packages use a library, so that another one can replace it there. */
class LibraryRulesTest {
    private static final String HTFS = "io.packing.htfs..";
    /** The part of HTFS that a traced call needs. It does not use Hadoop. */
    private static final String HTFS_RECORD = "io.packing.htfs.record..";

    private static final String TRACE_HADOOP = "io.packing.trace.hadoop..";
    private static final String TRACE_ANALYSIS = "io.packing.trace.analysis..";
    private static final String TRANSPORT = "io.packing.transport..";
    private static final String UFS = "io.packing.ufs..";
    private static final String PLUGIN = "io.packing.plugin..";
    private static final String HADOOP = "io.packing.hadoop..";
    private static final String CLUSTER = "io.packing.cluster..";
    private static final String HBASE = "io.packing.hbase..";
    private static final String COPY = "io.packing.operations.copy..";
    private static final String COPIED_STORES = "io.packing.operations.store..";
    private static final String COMMIT = "io.packing.lab.commit..";
    private static final String TABLES = "io.packing.lab.tables..";
    /** The clients without packing that experiments have beside it. */
    private static final String DIRECT_CLIENTS = "io.packing.lab.direct..";
    /** The ingest experiment at the door of Hadoop. */
    private static final String HADOOP_INGEST = "io.packing.lab.hadoop..";
    /** The client process of a round, which has Hadoop's door. */
    private static final String CHAOS_CLIENT = "io.packing.chaos.client..";

    private static final String BENCHMARKS = "io.packing.bench..";
    /** The packages that may send and receive messages. */
    private static final String[] WIRE = {
        "io.packing.bdt.rpc..",
        "io.packing.bdt.client..",
        "io.packing.bdt.master.rpc..",
        "io.packing.bdt.master.audit..",
        "io.packing.worker.rpc..",
        "io.packing.csi.rpc..",
        "io.packing.layers.containerd..",
        "io.packing.lab.cri..",
        "io.packing.fuzz.."
    };

    private static void onlyInside(String own, String library) {
        onlyInside(List.of(own), library);
    }

    private static void onlyInside(List<String> own, String library) {
        for (String each : own) {
            assertThat(ProjectClasses.ALL.stream().filter(resideInAPackage(each)))
                    .as(each)
                    .isNotEmpty();
        }
        noClasses()
                .that(not(resideInAnyPackage(own.toArray(String[]::new))))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library)
                .check(ProjectClasses.ALL);
    }

    @Test
    void theHttpServerStaysInsideThePackagesOfDoorsThatSpeakHttp() {
        onlyInside(
                List.of("io.packing.registry.web..", "io.packing.registry.http..", "io.packing.s3gateway.http.."),
                "org.eclipse.jetty..");
    }

    @Test
    void bcryptStaysInsideTheAccessOfTheRegistry() {
        onlyInside("io.packing.registry.access..", "at.favre.lib..");
    }

    @Test
    void awsSdkStaysInsideTheObjectStoreAndTheClientsBesideIt() {
        onlyInside(List.of("io.packing.store..", DIRECT_CLIENTS), "software.amazon..");
    }

    @Test
    void clientsOfCloudsStayInsideTheirPackages() {
        onlyInside("io.packing.store.google..", "com.google.api..");
        onlyInside("io.packing.store.google..", "com.google.auth..");
        onlyInside("io.packing.store.azure..", "com.azure..");
        onlyInside("io.packing.store.azure..", "reactor..");
    }

    /** Classes in other products' processes are rewritten for Java 11, which has no replacement for this class. */
    @Test
    void clocksAreOfAClassThatJava11Has() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.time.InstantSource")
                .check(ProjectClasses.ALL);
    }

    @Test
    void ratisStaysInsideItsPackage() {
        onlyInside("io.packing.bdt.raft.ratis..", "org.apache.ratis..");
    }

    @Test
    void onlyTheFrontDoorsAndTheAnalysisKnowAlluxioAndHadoop() {
        noClasses()
                .that(not(resideInAnyPackage(UFS, PLUGIN, CLUSTER)))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("alluxio..")
                .check(ProjectClasses.ALL);
        noClasses()
                .that(not(resideInAnyPackage(
                        HADOOP,
                        HTFS,
                        TRACE_HADOOP,
                        TRACE_ANALYSIS,
                        HBASE,
                        COPY,
                        COPIED_STORES,
                        HADOOP_INGEST,
                        COMMIT,
                        TABLES,
                        CHAOS_CLIENT,
                        BENCHMARKS)))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.hadoop..")
                .check(ProjectClasses.ALL);
        noClasses()
                .that(resideInAnyPackage(HTFS_RECORD))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.hadoop..")
                .check(ProjectClasses.ALL);
    }

    /** The protection of connections is in one place. Alluxio's plugin has a gRPC of its own. */
    @Test
    void channelsAndServersAreMadeByTheTransport() {
        DescribedPredicate<JavaClass> measuring = describe(
                "measure the memory of connections", type -> type.getName().equals("io.packing.fuzz.battle.Vitals"));
        noClasses()
                .that(not(resideInAnyPackage(TRANSPORT, PLUGIN)).and(not(measuring)))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.grpc.netty..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(ManagedChannelBuilder.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(ServerBuilder.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Grpc.class)
                .check(ProjectClasses.ALL);
    }

    /** The plugin's gRPC is Alluxio's. Our own classes need another one, which the extension has under another name. */
    @Test
    void thePluginSharesNoKindOfGrpcWithOtherModules() {
        DescribedPredicate<JavaClass> kindsOfGrpc = describe(
                "are kinds of gRPC",
                type -> Stream.concat(type.getAllRawInterfaces().stream(), type.getAllRawSuperclasses().stream())
                        .anyMatch(parent -> parent.getPackageName().startsWith("io.grpc")));
        noClasses()
                .that(resideInAnyPackage(PLUGIN))
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.packing..")
                        .and(not(resideInAnyPackage(PLUGIN)))
                        .and(kindsOfGrpc))
                .check(ProjectClasses.ALL);
    }

    @Test
    void generatedRpcTypesStayWithThoseWhoSpeakTheProtocols() {
        noClasses()
                .that(not(resideInAnyPackage(WIRE)))
                .should()
                .dependOnClassesThat()
                .areAssignableTo("com.google.protobuf.GeneratedMessageV3")
                .check(ProjectClasses.ALL);
    }
}
