// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ToxicWireTest {
    private static final int LENGTH = 100_000;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ServerSocket echo;

    ToxicWireTest() throws IOException {
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @BeforeEach
    void start() {
        threads.execute(() -> {
            while (!echo.isClosed()) {
                try {
                    Socket client = echo.accept();
                    threads.execute(() -> answer(client));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    /** Reads all bytes from the client and sends them back. */
    private static void answer(Socket client) {
        try (client;
                OutputStream out = client.getOutputStream()) {
            out.write(client.getInputStream().readNBytes(LENGTH));
        } catch (IOException e) {
            // The wire harms connections on purpose.
        }
    }

    @AfterEach
    void stop() throws IOException {
        echo.close();
        threads.shutdownNow();
    }

    private URI server() {
        return URI.create("http://127.0.0.1:" + echo.getLocalPort());
    }

    private static byte[] bytes() {
        byte[] bytes = new byte[LENGTH];
        new Random(Seed.value()).nextBytes(bytes);
        return bytes;
    }

    private static byte[] ask(URI endpoint, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(endpoint.getHost(), endpoint.getPort());
                InputStream in = socket.getInputStream()) {
            socket.getOutputStream().write(bytes);
            return in.readAllBytes();
        }
    }

    @Test
    void aCalmWireGivesEveryByteBack() throws IOException {
        byte[] bytes = bytes();
        try (ToxicWire wire = new ToxicWire(server(), 0, Seed.value())) {
            assertThat(ask(wire.endpoint(), bytes)).isEqualTo(bytes);
            assertThat(wire.harmed()).isZero();
        }
    }

    @Test
    void whatAHarmedWireGivesIsABeginningOfTheAnswer() throws IOException {
        byte[] bytes = bytes();
        try (ToxicWire wire = new ToxicWire(server(), 100, Seed.value())) {
            for (int i = 0; i < 20; i++) {
                try {
                    byte[] answer = ask(wire.endpoint(), bytes);
                    assertThat(answer).isEqualTo(Arrays.copyOf(bytes, answer.length));
                } catch (IOException e) {
                    // The wire breaks connections on purpose.
                }
            }
            assertThat(wire.harmed()).isPositive();
            wire.harm(0);
            assertThat(ask(wire.endpoint(), bytes)).isEqualTo(bytes);
        }
    }

    @Test
    void aPartedWireTakesNobodyUntilItIsJoined() throws IOException {
        byte[] bytes = bytes();
        try (ToxicWire wire = new ToxicWire(server(), 0, Seed.value())) {
            wire.part();
            assertThatIOException().isThrownBy(() -> ask(wire.endpoint(), bytes));
            wire.join();
            assertThat(ask(wire.endpoint(), bytes)).isEqualTo(bytes);
        }
    }

    @Test
    void aSilentWirePassesNothingAndThenAllThatWasSent() throws Exception {
        byte[] bytes = bytes();
        try (ToxicWire wire = new ToxicWire(server(), 0, Seed.value())) {
            wire.silence();
            Future<byte[]> answer = threads.submit(() -> ask(wire.endpoint(), bytes));
            assertThatThrownBy(() -> answer.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            wire.join();
            assertThat(answer.get()).isEqualTo(bytes);
        }
    }

    @Test
    void aSeedDrawsTheSameFatesEveryTimeAndAllOfThem() {
        Random random = new Random(Seed.value());
        Random again = new Random(Seed.value());
        Set<Fate.Harm> seen = EnumSet.noneOf(Fate.Harm.class);
        List<Fate> fates = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Fate fate = Fate.draw(random, 50);
            assertThat(Fate.draw(again, 50)).isEqualTo(fate);
            seen.add(fate.harm());
            fates.add(fate);
        }
        assertThat(seen).containsExactlyInAnyOrder(Fate.Harm.values());
        assertThat(fates.stream().filter(fate -> fate.harm() == Fate.Harm.NONE).count())
                .isBetween(300L, 700L);
    }
}
