// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test that status ports start no more threads after the warm-up, whatever clients request. */
@Timeout(120)
final class StatusThreadsTest {
    @TempDir
    private Path home;

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("status-server"))
                .collect(Collectors.toSet());
    }

    @Test
    void requestsAfterTheStartAddNoThread() throws Exception {
        Set<Thread> earlier = threads();
        List<Socket> slow = new ArrayList<>();
        try (House house = new House(home)) {
            StatusThreads.start(house.healthPorts);
            Set<Thread> started = threads();
            assertThat(started.stream().filter(thread -> !earlier.contains(thread)))
                    .hasSize(house.healthPorts.size() * StatusThreads.MOST);
            // Each socket holds a thread, since its request does not end.
            for (int i = 0; i < StatusThreads.MOST; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), house.healthPorts.get(0));
                slow.add(socket);
                socket.getOutputStream().write('G');
            }
            StatusThreads.start(house.healthPorts.subList(0, 1));
            assertThat(started).containsAll(threads());
        } finally {
            for (Socket each : slow) {
                each.close();
            }
        }
    }
}
