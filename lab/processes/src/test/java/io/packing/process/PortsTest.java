// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class PortsTest {
    private static final int COUNT = 5;

    @TempDir
    Path logs;

    /** A program that takes the ports that a given seed chooses first, prints them and waits. */
    public static final class Child {
        public static void main(String[] args) throws Exception {
            System.out.println("took " + Ports.free(COUNT, new Random(Long.parseLong(args[0]))));
            new CountDownLatch(1).await();
        }
    }

    @Test
    void portsAreGivenOnceInAProcess() throws Exception {
        List<Integer> first = Ports.free(COUNT, Seed.random());
        assertThat(Ports.free(COUNT, Seed.random())).doesNotHaveDuplicates().doesNotContainAnyElementsOf(first);
    }

    @Test
    void portsAreGivenOnceAmongProcessesUntilTheyEnd() throws Exception {
        List<String> classPath = Stream.of(Child.class, Ports.class)
                .map(ClassPaths::of)
                .map(Path::toString)
                .toList();
        String seed = Long.toString(Seed.value());
        JavaCommand command = new JavaCommand("child", Child.class.getName(), classPath, 16, Map.of(), List.of(seed));
        List<Integer> taken;
        try (JavaProcess child = JavaProcess.start(command, logs)) {
            String line = child.awaitLine("took [", Duration.ofMinutes(1)).replace("]", "");
            taken = Stream.of(line.split(", ")).map(Integer::valueOf).toList();
            assertThat(Ports.free(COUNT, Seed.random())).doesNotContainAnyElementsOf(taken);
        }
        assertThat(Ports.free(COUNT, Seed.random())).isEqualTo(taken);
    }
}
