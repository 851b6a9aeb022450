// SPDX-License-Identifier: Apache-2.0
package io.packing.rules;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.Architectures;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A test of the rules between packages in the large modules, which ARCHITECTURE.md describes. */
class PackageRulesTest {
    private static final String STORE = "io.packing.store..";
    private static final String MASTER = "io.packing.bdt.master..";
    private static final String MASTER_TABLE = "io.packing.bdt.master.table..";
    private static final String WORKER = "io.packing.worker..";
    private static final String POSIX = "io.packing.fuse.posix..";

    private static final JavaClasses OURS = ProjectClasses.ALL.that(resideInAnyPackage(MASTER, WORKER, POSIX));

    @BeforeAll
    static void look() {
        assertThat(OURS.size()).as("classes of master, worker and mounts").isGreaterThan(50);
    }

    @Test
    void packagesOfTheMasterPointDownTheirList() {
        Architectures.layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(MASTER)
                .layer("table")
                .definedBy(MASTER_TABLE)
                .layer("log")
                .definedBy("io.packing.bdt.master.log..")
                .layer("cloud")
                .definedBy("io.packing.bdt.master.cloud..")
                .layer("upkeep")
                .definedBy("io.packing.bdt.master.upkeep..")
                .layer("groups")
                .definedBy("io.packing.bdt.master.usergroups..")
                .layer("audit")
                .definedBy("io.packing.bdt.master.audit..")
                .layer("login")
                .definedBy("io.packing.bdt.master.login..")
                .layer("tokens")
                .definedBy("io.packing.bdt.master.tokens..")
                .layer("texts")
                .definedBy("io.packing.bdt.master.texts..")
                .layer("spread")
                .definedBy("io.packing.bdt.master.spread..")
                .layer("rpc")
                .definedBy("io.packing.bdt.master.rpc..")
                .layer("wiring")
                .definedBy("io.packing.bdt.master")
                .whereLayer("wiring")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("rpc")
                .mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("upkeep")
                .mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("cloud")
                .mayOnlyBeAccessedByLayers("upkeep", "wiring")
                .whereLayer("log")
                .mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("groups")
                .mayOnlyBeAccessedByLayers("login", "rpc", "wiring")
                .whereLayer("audit")
                .mayOnlyBeAccessedByLayers("rpc", "wiring")
                .whereLayer("login")
                .mayOnlyBeAccessedByLayers("rpc", "wiring")
                .whereLayer("spread")
                .mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("tokens")
                .mayOnlyBeAccessedByLayers("spread", "rpc", "wiring")
                .whereLayer("texts")
                .mayOnlyBeAccessedByLayers("tokens", "spread", "rpc", "wiring")
                .ensureAllClassesAreContainedInArchitectureIgnoring(not(resideInAnyPackage(MASTER)))
                .check(OURS);
    }

    @Test
    void packagesOfTheWorkerPointDownTheirList() {
        Architectures.layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(WORKER)
                .layer("policy")
                .definedBy("io.packing.worker.policy..")
                .layer("api")
                .definedBy("io.packing.worker.api..")
                .layer("buffer")
                .definedBy("io.packing.worker.buffer..")
                .layer("pack")
                .definedBy("io.packing.worker.pack..")
                .layer("disk")
                .definedBy("io.packing.worker.disk..")
                .layer("read")
                .definedBy("io.packing.worker.read..")
                .layer("rpc")
                .definedBy("io.packing.worker.rpc..")
                .layer("client")
                .definedBy("io.packing.worker.client..")
                .layer("wiring")
                .definedBy("io.packing.worker")
                .whereLayer("wiring")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("client")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("rpc")
                .mayOnlyBeAccessedByLayers("client", "wiring")
                .whereLayer("read")
                .mayOnlyBeAccessedByLayers("rpc", "client", "wiring")
                .whereLayer("disk")
                .mayOnlyBeAccessedByLayers("read")
                .whereLayer("pack")
                .mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("buffer")
                .mayOnlyBeAccessedByLayers("pack", "wiring")
                .whereLayer("policy")
                .mayOnlyBeAccessedByLayers("api", "buffer", "pack", "wiring")
                .ensureAllClassesAreContainedInArchitectureIgnoring(not(resideInAnyPackage(WORKER)))
                .check(OURS);
    }

    @Test
    void packagesOfTheTableKnowThoseBelowThemOnly() {
        Architectures.layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(MASTER_TABLE)
                .layer("row")
                .definedBy("io.packing.bdt.master.table.row")
                .layer("read")
                .definedBy("io.packing.bdt.master.table.read")
                .layer("change")
                .definedBy("io.packing.bdt.master.table.change")
                .layer("operation")
                .definedBy("io.packing.bdt.master.table.operation")
                .layer("recover")
                .definedBy("io.packing.bdt.master.table.recover")
                .layer("table")
                .definedBy("io.packing.bdt.master.table")
                .whereLayer("table")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("recover")
                .mayOnlyBeAccessedByLayers("table")
                .whereLayer("operation")
                .mayOnlyBeAccessedByLayers("recover", "table")
                .whereLayer("change")
                .mayOnlyBeAccessedByLayers("operation", "recover", "table")
                .whereLayer("read")
                .mayOnlyBeAccessedByLayers("change", "operation", "recover", "table")
                .ensureAllClassesAreContainedInArchitectureIgnoring(not(resideInAnyPackage(MASTER_TABLE)))
                .check(OURS);
    }

    @Test
    void packagesOfPosixMountsKnowThoseBelowThemOnly() {
        Architectures.layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(POSIX)
                .layer("owner")
                .definedBy("io.packing.fuse.posix.owner")
                .layer("posix")
                .definedBy("io.packing.fuse.posix")
                .layer("draft")
                .definedBy("io.packing.fuse.posix.draft")
                .layer("node")
                .definedBy("io.packing.fuse.posix.node")
                .layer("publish")
                .definedBy("io.packing.fuse.posix.publish")
                .layer("calls")
                .definedBy("io.packing.fuse.posix.calls")
                .layer("trace")
                .definedBy("io.packing.fuse.posix.trace")
                .layer("server")
                .definedBy("io.packing.fuse.posix.server")
                .whereLayer("server")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("trace")
                .mayOnlyBeAccessedByLayers("server")
                .whereLayer("calls")
                .mayOnlyBeAccessedByLayers("server")
                .whereLayer("publish")
                .mayOnlyBeAccessedByLayers("calls", "server")
                .whereLayer("node")
                .mayOnlyBeAccessedByLayers("publish", "calls", "server")
                .whereLayer("draft")
                .mayOnlyBeAccessedByLayers("node", "publish", "calls", "server")
                .ensureAllClassesAreContainedInArchitectureIgnoring(not(resideInAnyPackage(POSIX)))
                .check(OURS);
    }

    /**
     * A state machine has equal rows on every machine, so it makes no threads and opens no files and no connections.
     */
    @Test
    void theTableOfTheMasterIsAPureStateMachine() {
        noClasses()
                .that()
                .resideInAPackage(MASTER_TABLE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.grpc..", STORE, "java.nio.file..", "java.nio.channels..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(ExecutorService.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Executors.class)
                .check(OURS);
        noClasses()
                .that()
                .resideInAPackage(MASTER_TABLE)
                .should()
                .callConstructor(Thread.class, Runnable.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class, String.class)
                .check(OURS);
    }
}
