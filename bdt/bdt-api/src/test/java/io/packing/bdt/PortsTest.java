// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PortsTest {
    /** A body would answer for an implementation that forgets a method: without quotas, rows, or encryption. */
    @ParameterizedTest
    @ValueSource(
            classes = {
                Bdt.class,
                BdtLookups.class,
                BdtChanges.class,
                BdtWorkers.class,
                BdtAdministration.class,
                Bdts.class,
                WorkerSession.class
            })
    void noMethodOfAPortHasABody(Class<?> port) {
        assertThat(port.getMethods())
                .isNotEmpty()
                .allSatisfy(method -> assertThat(Modifier.isAbstract(method.getModifiers()))
                        .as("%s", method)
                        .isTrue());
    }

    @Test
    void eachMethodOfTheTableIsInOnePort() {
        Set<String> seen = new HashSet<>();
        for (Class<?> port : Bdt.class.getInterfaces()) {
            for (Method method : port.getMethods()) {
                if (!method.getName().equals("close")) {
                    assertThat(seen.add(signature(method))).as("%s", method).isTrue();
                }
            }
        }
        assertThat(Arrays.stream(Bdt.class.getDeclaredMethods()).map(Method::getName))
                .containsExactly("close");
    }

    private static String signature(Method method) {
        return method.getName() + Arrays.toString(method.getParameterTypes());
    }
}
