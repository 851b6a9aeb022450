// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test that production still has the calls that the planted defects leave out: a defect that is not there is not found either. */
class PlantedDefectTest {
    @ParameterizedTest
    @EnumSource
    void productionHasTheCallThatADefectLeavesOut(PlantedDefect defect) throws ClassNotFoundException {
        ClassLoader parent = PlantedDefectTest.class.getClassLoader();
        // The loader fails if the class has no such call.
        Class<?> planted = Class.forName(defect.className(), false, new RelinkingLoader(parent, Optional.of(defect)));
        // The verifier reads the methods as the loader left them, and finds each substitute.
        assertThat(planted.getDeclaredMethods()).isNotEmpty();
        assertThat(defect.substitute().stream()
                        .allMatch(name -> Arrays.stream(substitutes(planted)).anyMatch(name::equals)))
                .isTrue();
    }

    private static String[] substitutes(Class<?> planted) {
        try {
            return Arrays.stream(
                            Class.forName("io.packing.simulation.cluster.Substitutes", false, planted.getClassLoader())
                                    .getDeclaredMethods())
                    .map(method -> method.getName())
                    .toArray(String[]::new);
        } catch (ClassNotFoundException e) {
            throw new LinkageError("no substitutes", e);
        }
    }
}
