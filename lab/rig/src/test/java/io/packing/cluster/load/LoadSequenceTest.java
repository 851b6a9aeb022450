// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LoadSequenceTest {
    private final ClusterLoadSpec write = ClusterLoadSpec.write("/direct/load", 10, 8192, 4, "THROUGH");
    private final LoadSequence sequence = new LoadSequence(List.of(write, write.readBack()), Duration.ofSeconds(2));

    @Test
    void argumentsRoundTripBehindOthers() {
        List<String> words = Stream.concat(Stream.of("worker=a:1", "worker=b:2"), sequence.toArguments().stream())
                .toList();
        assertThat(LoadSequence.fromArguments(words)).isEqualTo(sequence);
        assertThat(LoadSequence.fromArguments(LoadSequence.of(write).toArguments()))
                .isEqualTo(LoadSequence.of(write));
    }

    @Test
    void filesAreThoseOfAllLoads() {
        assertThat(sequence.files()).isEqualTo(20);
    }

    @Test
    void argumentsAreNeeded() {
        assertThatThrownBy(() -> LoadSequence.fromArguments(write.toArguments()))
                .hasMessageContaining("pause-ms=");
        assertThatThrownBy(() -> LoadSequence.fromArguments(List.of("pause-ms=1")))
                .hasMessageContaining("0 loads");
    }
}
