// SPDX-License-Identifier: Apache-2.0
package io.packing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/**
 * The classes of all modules, without those of tests. The rules share them, since reading takes longer than checking.
 */
final class ProjectClasses {
    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.packing");

    static {
        assertThat(ALL.size())
                .as("classes of the project on the test class path")
                .isGreaterThan(50);
    }

    private ProjectClasses() {}
}
