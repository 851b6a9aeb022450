// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.net.HostAndPort;
import io.packing.process.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test that a member without answers keeps connecting: a member that is back may have the missing vote. */
@Timeout(180)
class ReconnectTest {
    private static final List<String> THREE = List.of("a", "b", "c");
    /** The attempts to see: gRPC's own waits, of one second and longer and longer, allow about ten in two minutes. */
    private static final int ATTEMPTS = 40;

    @TempDir
    private Path root;

    /** A server in place of a member, which accepts connections and closes them at once. */
    private static final class Silent implements AutoCloseable {
        private final AtomicInteger connections = new AtomicInteger();
        private final ServerSocket socket;

        Silent(int port) throws IOException {
            socket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
            Thread thread = new Thread(this::accept, "silent-member");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            try {
                while (!socket.isClosed()) {
                    socket.accept().close();
                    connections.incrementAndGet();
                }
            } catch (IOException e) {
                // The test has ended.
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static int port(String peers, String id) {
        Map<String, String> addresses =
                Splitter.on(',').withKeyValueSeparator('=').split(peers);
        return HostAndPort.fromString(Optional.ofNullable(addresses.get(id)).orElseThrow())
                .getPort();
    }

    @Test
    void aCandidateConnectsToMembersThatAreAwayAgainAndAgain() throws Exception {
        try (Masters masters = new Masters(root)) {
            String peers = masters.peers(THREE);
            // This member connects only by Ratis: it serves no clients, and so announces no start.
            try (Silent b = new Silent(port(peers, "b"));
                    Silent c = new Silent(port(peers, "c"));
                    RaftMember a = masters.startMember("a", THREE)) {
                Await.until(
                        "a tries %d times to reach each of the others".formatted(ATTEMPTS),
                        () -> Math.min(b.connections.get(), c.connections.get()) >= ATTEMPTS);
                assertThat(a.leads()).isFalse();
            }
        }
    }
}
