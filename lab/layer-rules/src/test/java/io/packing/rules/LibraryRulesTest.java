package io.packing.rules;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Libraries that one package knows, so that another one can take their place there. */
class LibraryRulesTest {
    private static JavaClasses all;

    @BeforeAll
    static void importClasses() {
        all = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.packing");
        assertThat(all.size())
                .as("classes of the project on the test class path")
                .isGreaterThan(50);
    }

    private static void onlyInside(String own, String library) {
        assertThat(all.stream().filter(resideInAPackage(own))).as(own).isNotEmpty();
        noClasses()
                .that(DescribedPredicate.not(resideInAnyPackage(own)))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library)
                .check(all);
    }

    @Test
    void theHttpServerStaysInsideItsPackageOfTheRegistry() {
        onlyInside("io.packing.registry.http..", "org.eclipse.jetty..");
    }

    @Test
    void bcryptStaysInsideTheAccessOfTheRegistry() {
        onlyInside("io.packing.registry.access..", "at.favre.lib..");
    }

    @Test
    void awsSdkStaysInsideTheObjectStore() {
        onlyInside("io.packing.store..", "software.amazon..");
    }

    /** What enters other products' processes is rewritten for Java 11, and this class has nothing in its place there. */
    @Test
    void clocksAreOfAClassThatJava11Has() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.time.InstantSource")
                .check(all);
    }

    @Test
    void ratisStaysInsideItsPackage() {
        onlyInside("io.packing.bdt.raft.ratis..", "org.apache.ratis..");
    }
}
