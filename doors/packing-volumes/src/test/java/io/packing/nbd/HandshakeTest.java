// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packing.nbd.TestNbdClient.OptionReply;
import io.packing.seed.Seed;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The negotiation of options, with clients that keep the protocol and with others. */
class HandshakeTest {
    private static final int BOTH = NbdNumbers.FIXED_NEWSTYLE | NbdNumbers.NO_ZEROES;
    private static final int SIZE = 1 << 20;

    private final MemoryDevice device = new MemoryDevice(SIZE, false);
    private NbdServer server;

    @BeforeEach
    void start() throws IOException {
        server = NbdServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), device, Optional.empty());
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private TestNbdClient client(int flags) throws IOException {
        TestNbdClient client = new TestNbdClient(server.port());
        client.greet(flags);
        return client;
    }

    private static OptionReply last(List<OptionReply> replies) {
        return replies.get(replies.size() - 1);
    }

    private void assertServes() throws IOException {
        try (TestNbdClient client = new TestNbdClient(server.port()).begin(true)) {
            assertEquals(4, client.read(0, 0, 4).length);
        }
    }

    private static void assertEnds(TestNbdClient client) {
        assertThrows(IOException.class, () -> {
            int read = client.in.read();
            if (read < 0) {
                throw new EOFException();
            }
        });
    }

    @Test
    void anOldClientGetsSizeFlagsAndZeros() throws IOException {
        try (TestNbdClient client = client(NbdNumbers.FIXED_NEWSTYLE)) {
            client.send(NbdNumbers.OPT_EXPORT_NAME, MemoryDevice.NAME.getBytes(UTF_8));
            assertEquals(SIZE, client.in.readLong());
            int flags = client.in.readUnsignedShort();
            assertEquals(0, flags & NbdNumbers.FLAG_SEND_DF);
            assertTrue((flags & NbdNumbers.FLAG_CAN_MULTI_CONN) != 0);
            assertArrayEquals(new byte[124], client.in.readNBytes(124));
            assertEquals(16, client.read(0, 5, 16).length);
        }
    }

    @Test
    void aNameThatNoExportHasEndsTheOldOptionAndIsAnErrorOfTheNewOnes() throws IOException {
        try (TestNbdClient client = client(BOTH)) {
            client.send(NbdNumbers.OPT_EXPORT_NAME, "other".getBytes(UTF_8));
            assertEnds(client);
        }
        try (TestNbdClient client = client(BOTH)) {
            assertEquals(
                    NbdNumbers.REP_ERR_UNKNOWN,
                    last(client.option(NbdNumbers.OPT_GO, TestNbdClient.name("other")))
                            .type());
            assertEquals(
                    NbdNumbers.REP_ERR_UNKNOWN,
                    last(client.option(NbdNumbers.OPT_INFO, TestNbdClient.name("other")))
                            .type());
            // The negotiation goes on.
            assertEquals(
                    NbdNumbers.REP_ACK,
                    last(client.option(NbdNumbers.OPT_GO, TestNbdClient.name("")))
                            .type());
            assertEquals(16, client.read(0, 5, 16).length);
        }
    }

    @Test
    void infoTellsSizeBlocksNameAndDescription() throws IOException {
        try (TestNbdClient client = client(BOTH)) {
            List<OptionReply> replies = client.option(
                    NbdNumbers.OPT_INFO,
                    TestNbdClient.name("", NbdNumbers.INFO_NAME, NbdNumbers.INFO_DESCRIPTION, 4711));
            assertEquals(5, replies.size());
            ByteBuffer export = replies.get(0).data();
            assertEquals(NbdNumbers.INFO_EXPORT, export.getShort());
            assertEquals(SIZE, export.getLong());
            ByteBuffer blocks = replies.get(1).data();
            assertEquals(NbdNumbers.INFO_BLOCK_SIZE, blocks.getShort());
            assertEquals(1, blocks.getInt());
            assertEquals(4096, blocks.getInt());
            assertEquals(32 << 20, blocks.getInt());
            assertTrue(replies.get(2).text().endsWith(MemoryDevice.NAME));
            assertTrue(replies.get(3).text().endsWith("a device in memory"));
            assertEquals(NbdNumbers.REP_ACK, last(replies).type());
        }
    }

    @Test
    void listsItsNames() throws IOException {
        try (TestNbdClient client = client(BOTH)) {
            List<OptionReply> replies = client.option(NbdNumbers.OPT_LIST);
            assertEquals(2, replies.size());
            assertTrue(replies.get(0).text().endsWith(MemoryDevice.NAME));
            assertEquals(
                    NbdNumbers.REP_ERR_INVALID,
                    last(client.option(NbdNumbers.OPT_LIST, (byte) 1)).type());
        }
    }

    @Test
    void contextsNeedStructuredReplies() throws IOException {
        try (TestNbdClient client = client(BOTH)) {
            byte[] wanted = TestNbdClient.contexts("", "base:allocation", "qemu:dirty-bitmap:x");
            assertEquals(
                    NbdNumbers.REP_ERR_INVALID,
                    last(client.option(NbdNumbers.OPT_SET_META_CONTEXT, wanted)).type());
            assertEquals(
                    NbdNumbers.REP_ERR_INVALID,
                    last(client.option(NbdNumbers.OPT_STRUCTURED_REPLY, (byte) 0))
                            .type());
            assertEquals(
                    NbdNumbers.REP_ACK,
                    last(client.option(NbdNumbers.OPT_STRUCTURED_REPLY)).type());
            assertEquals(
                    2, client.option(NbdNumbers.OPT_SET_META_CONTEXT, wanted).size());
            assertEquals(
                    2,
                    client.option(NbdNumbers.OPT_LIST_META_CONTEXT, TestNbdClient.contexts(""))
                            .size());
            assertEquals(
                    2,
                    client.option(NbdNumbers.OPT_LIST_META_CONTEXT, TestNbdClient.contexts("", "base:"))
                            .size());
            // A namespace chooses no context.
            assertEquals(
                    1,
                    client.option(NbdNumbers.OPT_SET_META_CONTEXT, TestNbdClient.contexts("", "base:"))
                            .size());
            assertEquals(
                    NbdNumbers.REP_ERR_UNKNOWN,
                    last(client.option(NbdNumbers.OPT_SET_META_CONTEXT, TestNbdClient.contexts("x", "base:")))
                            .type());
        }
    }

    @Test
    void aContextOfAnotherNameDoesNotCount() throws IOException {
        try (TestNbdClient client = client(BOTH)) {
            assertEquals(1, client.option(NbdNumbers.OPT_STRUCTURED_REPLY).size());
            assertEquals(
                    2,
                    client.option(
                                    NbdNumbers.OPT_SET_META_CONTEXT,
                                    TestNbdClient.contexts(MemoryDevice.NAME, NbdNumbers.ALLOCATION))
                            .size());
            assertEquals(
                    3, client.option(NbdNumbers.OPT_GO, TestNbdClient.name("")).size());
            assertEquals(NbdError.EINVAL.number(), client.errorOf(0, NbdNumbers.CMD_BLOCK_STATUS, 0, 512));
        }
    }

    @Test
    void unknownOptionsAreRefusedAndTheNextOneIsRead() throws IOException {
        try (TestNbdClient client = client(BOTH)) {
            assertEquals(
                    NbdNumbers.REP_ERR_UNSUP,
                    last(client.option(4711, new byte[300])).type());
            assertEquals(
                    NbdNumbers.REP_ERR_POLICY,
                    last(client.option(NbdNumbers.OPT_STARTTLS)).type());
            assertEquals(
                    NbdNumbers.REP_ERR_TOO_BIG,
                    last(client.option(4711, new byte[100_000])).type());
            assertEquals(
                    NbdNumbers.REP_ACK,
                    last(client.option(NbdNumbers.OPT_ABORT)).type());
            assertEnds(client);
        }
    }

    @Test
    void lengthsThatLieAreRefused() throws IOException {
        try (TestNbdClient client = client(BOTH)) {
            byte[] tooLong = ByteBuffer.allocate(6).putInt(1_000_000).array();
            byte[] negative = ByteBuffer.allocate(6).putInt(-1).array();
            byte[] behind = ByteBuffer.allocate(9).putInt(0).putShort((short) 0).array();
            byte[] kinds = ByteBuffer.allocate(6).putInt(0).putShort((short) -1).array();
            byte[] queries =
                    ByteBuffer.allocate(8).putInt(0).putInt(0x7fff_ffff).array();
            for (byte[] bad : List.of(new byte[0], tooLong, negative, behind, kinds)) {
                assertEquals(
                        NbdNumbers.REP_ERR_INVALID,
                        last(client.option(NbdNumbers.OPT_GO, bad)).type());
            }
            assertEquals(
                    NbdNumbers.REP_ERR_INVALID,
                    last(client.option(NbdNumbers.OPT_SET_META_CONTEXT, queries))
                            .type());
            assertEquals(
                    NbdNumbers.REP_ERR_INVALID,
                    last(client.option(NbdNumbers.OPT_GO, TestNbdClient.name("x".repeat(5_000))))
                            .type());
            byte[] notText = {0, 0, 0, 1, (byte) 0xff, 0, 0};
            assertEquals(
                    NbdNumbers.REP_ERR_INVALID,
                    last(client.option(NbdNumbers.OPT_GO, notText)).type());
        }
    }

    @Test
    void anUnknownFlagOfTheClientEndsTheConnection() throws IOException {
        try (TestNbdClient client = client(BOTH | 4)) {
            assertEnds(client);
        }
        assertServes();
    }

    @Test
    void garbageEndsOnlyItsConnection() throws IOException {
        Random random = Seed.random();
        for (int i = 0; i < 50; i++) {
            try (TestNbdClient client = new TestNbdClient(server.port())) {
                byte[] garbage = new byte[random.nextInt(200)];
                random.nextBytes(garbage);
                if (i % 2 == 0) {
                    client.greet(BOTH);
                    client.out.writeLong(NbdNumbers.OPTION_MAGIC);
                }
                client.out.write(garbage);
            } catch (SocketException e) {
                // The server was faster.
            }
        }
        assertServes();
    }
}
