// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packing.seed.Seed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests of clients, with simple replies and with chunks, within the protocol and beyond it. */
class TransmissionTest {
    private static final int SIZE = 40 << 20;

    private MemoryDevice device = new MemoryDevice(SIZE, false);
    private Optional<NbdServer> server = Optional.empty();

    @AfterEach
    void stop() throws IOException {
        if (server.isPresent()) {
            server.get().close();
        }
    }

    private TestNbdClient client(boolean structured) throws IOException {
        if (server.isEmpty()) {
            server = Optional.of(NbdServer.start(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), device, Optional.empty()));
        }
        return new TestNbdClient(server.get().port()).begin(structured);
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        Seed.random().nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bytesComeBack(boolean structured) throws IOException {
        byte[] bytes = random(3 << 20);
        try (TestNbdClient client = client(structured)) {
            assertEquals(0, client.errorOf(0, NbdNumbers.CMD_WRITE, 12_345, bytes.length, bytes));
            assertArrayEquals(bytes, client.read(0, 12_345, bytes.length));
            assertArrayEquals(new byte[100], client.read(0, 0, 100));
            if (structured) {
                assertArrayEquals(bytes, client.read(NbdNumbers.CMD_FLAG_DF, 12_345, bytes.length));
            }
        }
    }

    @Test
    void holesOfAReadAreNotSent() throws IOException {
        try (TestNbdClient client = client(true)) {
            assertEquals(0, client.errorOf(0, NbdNumbers.CMD_WRITE, 4096, 4096, random(4096)));
            client.request(0, NbdNumbers.CMD_READ, 1, 0, 1 << 20);
            List<Integer> types = new ArrayList<>();
            TestNbdClient.Reply reply;
            do {
                reply = client.reply(0);
                types.add(reply.type());
            } while (!reply.isLast());
            assertEquals(
                    List.of(NbdNumbers.CHUNK_OFFSET_HOLE, NbdNumbers.CHUNK_OFFSET_DATA, NbdNumbers.CHUNK_OFFSET_HOLE),
                    types);
        }
    }

    @Test
    void statusTellsHoles() throws IOException {
        try (TestNbdClient client = client(true)) {
            assertEquals(0, client.errorOf(0, NbdNumbers.CMD_WRITE, 4096, 4096, random(4096)));
            assertEquals(List.of(4096, 3, 4096, 0, 8192, 3), status(client, 0, 16_384));
            assertEquals(List.of(4096, 3), status(client, NbdNumbers.CMD_FLAG_REQ_ONE, 16_384));
            assertEquals(NbdError.EINVAL.number(), client.errorOf(0, NbdNumbers.CMD_BLOCK_STATUS, 0, 0));
        }
    }

    private static List<Integer> status(TestNbdClient client, int flags, int length) throws IOException {
        client.request(flags, NbdNumbers.CMD_BLOCK_STATUS, 3, 0, length);
        ByteBuffer data = client.reply(0).data();
        assertEquals(NbdNumbers.ALLOCATION_ID, data.getInt());
        List<Integer> numbers = new ArrayList<>();
        while (data.hasRemaining()) {
            numbers.add(data.getInt());
        }
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void zerosAreHolesUnlessTheClientWantsNone(boolean structured) throws IOException {
        try (TestNbdClient client = client(structured)) {
            byte[] bytes = random(1 << 20);
            assertEquals(0, client.errorOf(0, NbdNumbers.CMD_WRITE, 0, bytes.length, bytes));
            assertEquals(0, client.errorOf(0, NbdNumbers.CMD_WRITE_ZEROES, 0, 4096));
            assertEquals(0, client.errorOf(NbdNumbers.CMD_FLAG_NO_HOLE, NbdNumbers.CMD_WRITE_ZEROES, 4096, 600_000));
            assertEquals(0, client.errorOf(0, NbdNumbers.CMD_TRIM, 700_000, 1_000));
            assertArrayEquals(new byte[604_096], client.read(0, 0, 604_096));
            assertArrayEquals(new byte[1_000], client.read(0, 700_000, 1_000));
            assertEquals(
                    List.of(true, false, true, false),
                    device.ranges(0, bytes.length, 10).stream()
                            .map(DeviceRange::isHole)
                            .toList());
            assertEquals(0, client.errorOf(NbdNumbers.CMD_FLAG_FAST_ZERO, NbdNumbers.CMD_WRITE_ZEROES, 0, 4096));
            assertEquals(
                    NbdError.ENOTSUP.number(),
                    client.errorOf(
                            NbdNumbers.CMD_FLAG_FAST_ZERO | NbdNumbers.CMD_FLAG_NO_HOLE,
                            NbdNumbers.CMD_WRITE_ZEROES,
                            0,
                            4096));
        }
    }

    @Test
    void flushAndFuaSyncTheDevice() throws IOException {
        try (TestNbdClient client = client(false)) {
            assertEquals(0, client.errorOf(0, NbdNumbers.CMD_WRITE, 0, 512, new byte[512]));
            assertEquals(0, device.flushes());
            assertEquals(0, client.errorOf(0, NbdNumbers.CMD_FLUSH, 0, 0));
            assertEquals(1, device.flushes());
            for (int type : new int[] {NbdNumbers.CMD_TRIM, NbdNumbers.CMD_WRITE_ZEROES}) {
                assertEquals(0, client.errorOf(NbdNumbers.CMD_FLAG_FUA, type, 0, 512));
            }
            assertEquals(0, client.errorOf(NbdNumbers.CMD_FLAG_FUA, NbdNumbers.CMD_WRITE, 0, 512, new byte[512]));
            assertEquals(4, device.flushes());
            // A flag that means nothing for a read does no harm.
            assertEquals(512, client.read(NbdNumbers.CMD_FLAG_FUA, 0, 512).length);
            assertEquals(0, client.errorOf(0, NbdNumbers.CMD_CACHE, 0, SIZE));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void impossibleRequestsAreErrorsAndTheNextOneIsAnswered(boolean structured) throws IOException {
        int invalid = NbdError.EINVAL.number();
        int noSpace = NbdError.ENOSPC.number();
        try (TestNbdClient client = client(structured)) {
            assertEquals(invalid, client.errorOf(0, NbdNumbers.CMD_READ, SIZE, 1));
            assertEquals(invalid, client.errorOf(0, NbdNumbers.CMD_READ, SIZE - 1, 2));
            assertEquals(invalid, client.errorOf(0, NbdNumbers.CMD_READ, -1, 2));
            assertEquals(invalid, client.errorOf(0, NbdNumbers.CMD_READ, Long.MAX_VALUE, 2));
            assertEquals(invalid, client.errorOf(0, NbdNumbers.CMD_READ, 0, -1));
            assertEquals(invalid, client.errorOf(0, NbdNumbers.CMD_READ, 0, (32 << 20) + 1));
            assertEquals(noSpace, client.errorOf(0, NbdNumbers.CMD_WRITE, SIZE - 1, 2, new byte[2]));
            assertEquals(noSpace, client.errorOf(0, NbdNumbers.CMD_WRITE, Long.MIN_VALUE, 600, new byte[600]));
            assertEquals(noSpace, client.errorOf(0, NbdNumbers.CMD_WRITE_ZEROES, 1, -1));
            assertEquals(invalid, client.errorOf(0, NbdNumbers.CMD_TRIM, 1, -1));
            assertEquals(invalid, client.errorOf(0, NbdNumbers.CMD_CACHE, 1, SIZE));
            int tooLong = (32 << 20) + 512;
            assertEquals(invalid, client.errorOf(0, NbdNumbers.CMD_WRITE, 0, tooLong, new byte[tooLong]));
            assertEquals(invalid, client.errorOf(0, 8, 0, 512));
            assertEquals(invalid, client.errorOf(0, 4711, 0, 512));
            assertEquals(invalid, client.errorOf(1 << 14, NbdNumbers.CMD_READ, 0, 512));
            assertEquals(
                    invalid, client.errorOf(NbdNumbers.CMD_FLAG_NO_HOLE, NbdNumbers.CMD_WRITE, 0, 512, new byte[512]));
            assertEquals(invalid, client.errorOf(0, NbdNumbers.CMD_FLUSH, 0, 512));
            assertEquals(0, client.errorOf(0, NbdNumbers.CMD_WRITE, SIZE - 2, 2, new byte[2]));
            assertEquals(0, client.errorOf(0, NbdNumbers.CMD_WRITE, SIZE, 0));
        }
    }

    @Test
    void aReadOnlyDeviceRefusesChanges() throws IOException {
        device = new MemoryDevice(SIZE, true);
        try (TestNbdClient client = client(true)) {
            int refused = NbdError.EPERM.number();
            assertEquals(refused, client.errorOf(0, NbdNumbers.CMD_WRITE, 0, 512, new byte[512]));
            assertEquals(refused, client.errorOf(0, NbdNumbers.CMD_TRIM, 0, 512));
            assertEquals(refused, client.errorOf(0, NbdNumbers.CMD_WRITE_ZEROES, 0, 512));
            assertEquals(0, client.errorOf(0, NbdNumbers.CMD_FLUSH, 0, 0));
            assertEquals(512, client.read(0, 0, 512).length);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void failuresOfTheDeviceAreErrors(boolean structured) throws IOException {
        try (TestNbdClient client = client(structured)) {
            device.failBy(new IOException("the disk is broken"));
            int broken = NbdError.EIO.number();
            assertEquals(broken, client.errorOf(0, NbdNumbers.CMD_READ, 0, 512));
            assertEquals(broken, client.errorOf(0, NbdNumbers.CMD_WRITE, 0, 600_000, new byte[600_000]));
            assertEquals(broken, client.errorOf(0, NbdNumbers.CMD_WRITE_ZEROES, 0, 512));
            assertEquals(broken, client.errorOf(0, NbdNumbers.CMD_FLUSH, 0, 0));
            device.failBy(new NbdException(NbdError.ENOSPC, "no room"));
            assertEquals(NbdError.ENOSPC.number(), client.errorOf(0, NbdNumbers.CMD_WRITE, 0, 512, new byte[512]));
        }
    }

    @Test
    void garbageAndHalfRequestsEndOnlyTheirConnection() throws IOException {
        Random random = Seed.random();
        for (int i = 0; i < 100; i++) {
            // More than the connections that a server has at once: each must be freed.
            try (TestNbdClient client = client(i % 2 == 0)) {
                switch (i % 4) {
                    case 0 -> client.out.write(new byte[28]);
                    case 1 -> client.request(0, NbdNumbers.CMD_WRITE, 1, 0, 1 << 20, new byte[random.nextInt(1 << 20)]);
                    case 2 -> client.out.writeInt(NbdNumbers.REQUEST_MAGIC);
                    default -> {
                        for (int j = 0; j < 40; j++) {
                            // Its replies are not read.
                            client.request(0, NbdNumbers.CMD_READ, j, 0, 4 << 20);
                        }
                    }
                }
            }
        }
        try (TestNbdClient client = client(true)) {
            client.request(0, NbdNumbers.CMD_DISC, 0, 0, 0);
            assertEquals(-1, client.in.read());
        }
        try (TestNbdClient client = client(true)) {
            client.out.writeLong(0x1234_5678_9abc_def0L);
            client.out.write(new byte[20]);
            assertThrows(IOException.class, () -> client.reply(0));
        }
        try (TestNbdClient client = client(true)) {
            assertEquals(512, client.read(0, 0, 512).length);
        }
    }

    @Test
    void aClientThatDisconnectsGetsTheRepliesBefore() throws IOException {
        try (TestNbdClient client = client(false)) {
            for (int i = 0; i < 20; i++) {
                client.request(0, NbdNumbers.CMD_READ, i, 0, 1 << 20);
            }
            client.request(0, NbdNumbers.CMD_DISC, 99, 0, 0);
            boolean[] seen = new boolean[20];
            for (int i = 0; i < 20; i++) {
                seen[(int) client.reply(1 << 20).cookie()] = true;
            }
            for (boolean each : seen) {
                assertTrue(each);
            }
            assertEquals(-1, client.in.read());
        }
    }
}
