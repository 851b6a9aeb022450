// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.MethodDescriptor;
import io.packing.bdt.BdtMethods;
import io.packing.bdt.rpc.BdtGrpc;
import org.junit.jupiter.api.Test;

class BdtMethodsTest {
    @Test
    void listNamesEveryCallOfTheProtocol() {
        assertThat(BdtMethods.SERVICE).isEqualTo(BdtGrpc.getServiceDescriptor().getName());
        assertThat(BdtMethods.NAMES)
                .containsExactlyElementsOf(BdtGrpc.getServiceDescriptor().getMethods().stream()
                        .map(MethodDescriptor::getBareMethodName)
                        .toList());
    }
}
