// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterLoadSpecTest {
    private final ClusterLoadSpec spec = ClusterLoadSpec.write("/direct/a b=c", 10, 8192, 4, "THROUGH");

    @Test
    void argumentsRoundTrip() {
        assertThat(ClusterLoadSpec.fromArguments(spec.toArguments())).isEqualTo(spec);
        assertThat(ClusterLoadSpec.fromArguments(spec.readBack().toArguments())).isEqualTo(spec.readBack());
    }

    @Test
    void readBackGoesThroughTheNextWorkerPastTheCaches() {
        assertThat(spec.readBack().shift()).isEqualTo(spec.shift() + 1);
        assertThat(spec.readBack().cache()).isFalse();
    }

    @Test
    void everyArgumentIsNeeded() {
        for (int i = 0; i < spec.toArguments().size(); i++) {
            List<String> arguments = new ArrayList<>(spec.toArguments());
            String key = arguments.remove(i).replaceAll("=.*", "=");
            assertThatThrownBy(() -> ClusterLoadSpec.fromArguments(arguments))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(key);
        }
    }

    @Test
    void impossibleValuesAreRefused() {
        assertThatThrownBy(() -> ClusterLoadSpec.write("relative", 1, 1, 1, "THROUGH"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ClusterLoadSpec.write("/a", 1, 1, 0, "THROUGH"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ClusterLoadSpec.fromArguments(List.of("files")))
                .hasMessageContaining("key=value");
    }

    @Test
    void filesSortInNumberOrder() {
        assertThat(spec.file(99)).isLessThan(spec.file(100));
    }
}
