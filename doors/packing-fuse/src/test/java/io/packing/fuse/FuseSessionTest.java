// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FuseSessionTest {
    private static final int HEADER = Reply.HEADER;

    private final Requests kernel = Requests.begun(new InMemoryFiles(Clock.systemUTC()));

    private ByteBuffer create(String name) {
        return kernel.send(35, 1, Requests.body(0, 0100644, 0, 0, name));
    }

    private long node(ByteBuffer entry) {
        assertThat(Requests.error(entry)).isZero();
        return entry.getLong(HEADER);
    }

    @Test
    void initAgreesOnWhatBothSidesKnow() {
        Requests fresh = new Requests(new InMemoryFiles(Clock.systemUTC()));
        ByteBuffer answer = fresh.send(Requests.recordedInit()).orElseThrow();
        assertThat(answer.getInt(0)).isEqualTo(80).isEqualTo(answer.remaining());
        assertThat(Requests.error(answer)).isZero();
        assertThat(answer.getInt(HEADER)).isEqualTo(7);
        assertThat(answer.getInt(HEADER + 12) & InitFlags.DO_READDIRPLUS).isNotZero();
        // A mount that changes must hear of every open.
        assertThat(answer.getInt(HEADER + 12) & InitFlags.NO_OPEN_SUPPORT).isZero();
        assertThat(answer.getInt(HEADER + 20)).isEqualTo(1 << 20);
        assertThat(answer.getShort(HEADER + 28)).isEqualTo((short) 256);
        assertThat(fresh.session().canResume()).isTrue();
    }

    @Test
    void aNewerMajorVersionIsAskedToComeDown() {
        Requests fresh = new Requests(new InMemoryFiles(Clock.systemUTC()));
        ByteBuffer answer = fresh.send(26, 0, Requests.body(8, 0, 0, 0, 0));
        assertThat(answer.getInt(HEADER)).isEqualTo(7);
        assertThat(fresh.session().isReady()).isFalse();
    }

    @Test
    void anOldKernelIsRefused() {
        Requests fresh = new Requests(new InMemoryFiles(Clock.systemUTC()));
        assertThat(Requests.error(fresh.send(26, 0, Requests.body(7, 22, 0, 0))))
                .isEqualTo(Errno.EPROTO.number());
    }

    @Test
    void nothingIsAnsweredBeforeInit() {
        Requests fresh = new Requests(new InMemoryFiles(Clock.systemUTC()));
        assertThat(Requests.error(fresh.send(3, 1, Requests.body(0, 0, 0L)))).isEqualTo(Errno.EIO.number());
    }

    @Test
    void aFileIsCreatedWrittenAndRead() {
        long node = node(create("a"));
        byte[] bytes = "hello".getBytes(StandardCharsets.UTF_8);
        ByteBuffer written = kernel.send(16, node, Requests.body(0L, 3L, 5, 0, 0L, 0, 0, bytes));
        assertThat(written.getInt(HEADER)).isEqualTo(5);
        ByteBuffer read = kernel.send(15, node, Requests.body(0L, 0L, 4096, 0, 0L, 0, 0));
        assertThat(read.remaining()).isEqualTo(HEADER + 8);
        assertThat(StandardCharsets.UTF_8.decode(read.slice(HEADER + 3, 5)).toString())
                .isEqualTo("hello");
    }

    @Test
    void anEntryHasTheBytesOfTheKernelsHeader() {
        ByteBuffer entry = create("b");
        // fuse_entry_out and fuse_open_out behind the header.
        assertThat(entry.remaining()).isEqualTo(HEADER + 128 + 16);
        int attributes = HEADER + 40;
        assertThat(entry.getLong(attributes)).isEqualTo(node(entry));
        assertThat(entry.getInt(attributes + 60)).isEqualTo(0100644);
        assertThat(entry.getInt(attributes + 68)).isEqualTo(7);
        assertThat(entry.getInt(attributes + 72)).isEqualTo(8);
    }

    @Test
    void aListingIsWholeHoweverSmallItsPagesAre() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String name = "n%02d%s".formatted(i, "x".repeat(i % 9));
            node(create(name));
            names.add(name);
        }
        for (int opcode : new int[] {28, 44}) {
            List<String> found = new ArrayList<>();
            long offset = 0;
            while (true) {
                ByteBuffer page = kernel.send(opcode, 1, Requests.body(1L, offset, 400, 0, 0L, 0, 0));
                page.position(HEADER);
                if (!page.hasRemaining()) {
                    break;
                }
                assertThat(page.remaining()).isLessThanOrEqualTo(400);
                while (page.hasRemaining()) {
                    page.position(page.position() + (opcode == 44 ? Reply.ENTRY : 0) + 8);
                    offset = page.getLong();
                    int length = page.getInt();
                    int unusedType = page.getInt();
                    found.add(StandardCharsets.UTF_8
                            .decode(page.slice(page.position(), length))
                            .toString());
                    page.position(page.position() + (length + 7) / 8 * 8);
                }
            }
            assertThat(found).isEqualTo(names);
        }
    }

    @Test
    void namesThatAreNoneAreRefused() {
        assertThat(Requests.error(create("x".repeat(256)))).isEqualTo(Errno.ENAMETOOLONG.number());
        assertThat(Requests.error(create("x".repeat(255)))).isZero();
        for (String name : new String[] {"", ".", "..", "a/b", "/"}) {
            assertThat(Requests.error(create(name))).as(name).isEqualTo(Errno.EINVAL.number());
        }
        byte[] latin1 = {(byte) 0xe4, 0};
        assertThat(Requests.error(kernel.send(1, 1, latin1))).isEqualTo(Errno.EILSEQ.number());
        byte[] noEnd = {'a', 'b'};
        assertThat(Requests.error(kernel.send(1, 1, noEnd))).isEqualTo(Errno.EINVAL.number());
    }

    @Test
    void anUnknownRequestIsNotImplemented() {
        for (int opcode : new int[] {0, 7, 19, 63, 64, 4096, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThat(Requests.error(kernel.send(opcode, 1, new byte[16])))
                    .as("opcode %d", opcode)
                    .isEqualTo(Errno.ENOSYS.number());
        }
    }

    @Test
    void aLengthThatLiesIsRefused() {
        for (int length : new int[] {0, 39, 41, 1 << 20, -1, Integer.MIN_VALUE}) {
            ByteBuffer message = kernel.message(3, 1, new byte[16], length);
            assertThat(Requests.error(kernel.send(message).orElseThrow())).isEqualTo(Errno.EINVAL.number());
        }
        assertThat(kernel.send(ByteBuffer.allocate(39))).isEmpty();
    }

    @Test
    void aWriteThatClaimsMoreBytesThanItHasIsRefused() {
        long node = node(create("w"));
        for (int size : new int[] {6, 1 << 20, (1 << 20) + 1, -1}) {
            byte[] body = Requests.body(0L, 0L, size, 0, 0L, 0, 0, new byte[5]);
            assertThat(Requests.error(kernel.send(16, node, body))).isEqualTo(Errno.EINVAL.number());
        }
        byte[] past = Requests.body(0L, Long.MAX_VALUE, 5, 0, 0L, 0, 0, new byte[5]);
        assertThat(Requests.error(kernel.send(16, node, past))).isEqualTo(Errno.EFBIG.number());
        byte[] negative = Requests.body(0L, -1L, 5, 0, 0L, 0, 0, new byte[5]);
        assertThat(Requests.error(kernel.send(16, node, negative))).isEqualTo(Errno.EINVAL.number());
    }

    @Test
    void forgetsAreNotAnswered() {
        assertThat(kernel.send(kernel.message(2, 1, Requests.body(1L), 48))).isEmpty();
        assertThat(kernel.send(kernel.message(42, 0, Requests.body(1_000_000, 0, 5L, 1L), 64)))
                .isEmpty();
        assertThat(kernel.send(kernel.message(42, 0, new byte[3], 43))).isEmpty();
    }

    @Test
    void anExtendedAttributeIsSizedFirst() {
        long node = node(create("x"));
        byte[] value = {1, 2, 3};
        assertThat(Requests.error(kernel.send(21, node, Requests.body(3, 0, "user.a", value))))
                .isZero();
        ByteBuffer size = kernel.send(22, node, Requests.body(0, 0, "user.a"));
        assertThat(size.getInt(HEADER)).isEqualTo(3);
        assertThat(Requests.error(kernel.send(22, node, Requests.body(2, 0, "user.a"))))
                .isEqualTo(Errno.ERANGE.number());
        assertThat(kernel.send(22, node, Requests.body(3, 0, "user.a")).get(HEADER + 2))
                .isEqualTo((byte) 3);
        assertThat(Requests.error(kernel.send(22, node, Requests.body(3, 0, "user.b"))))
                .isEqualTo(Errno.ENODATA.number());
    }

    @Test
    void anInterruptReachesItsRequest() {
        List<Boolean> seen = new ArrayList<>();
        Requests other = Requests.begun(new FuseFileSystem() {
            @Override
            public void access(Caller caller, long node, int mask) {
                seen.add(caller.interrupted().getAsBoolean());
            }
        });
        // The kernel has to send a request again that no server has seen.
        assertThat(Requests.error(other.send(36, 0, Requests.body(99L)))).isEqualTo(Errno.EAGAIN.number());
        assertThat(Requests.error(other.send(34, 1, Requests.body(1, 0)))).isZero();
        assertThat(seen).containsExactly(false);
    }

    @Test
    void aRequestMayBeInterruptedWhileItRuns() throws IOException {
        Requests[] self = new Requests[1];
        List<Boolean> seen = new ArrayList<>();
        self[0] = Requests.begun(new FuseFileSystem() {
            @Override
            public void access(Caller caller, long node, int mask) {
                long running = self[0].lastUnique();
                ByteBuffer interrupt = self[0].message(36, 0, Requests.body(running), 48);
                ByteBuffer direct = ByteBuffer.allocateDirect(48).order(ByteOrder.nativeOrder());
                direct.put(interrupt).flip();
                Reply reply = new Reply(ByteBuffer.allocate(64).order(ByteOrder.nativeOrder()));
                assertThat(self[0].session().answer(direct, reply, late -> {})).isEmpty();
                seen.add(caller.interrupted().getAsBoolean());
            }
        });
        self[0].send(34, 1, Requests.body(1, 0));
        assertThat(seen).containsExactly(true);
    }

    /** Returns a session over a file system that keeps the answers to flushes. */
    private static Requests keeping(List<DeferredAnswer> kept) {
        return Requests.begun(new FuseFileSystem() {
            @Override
            public void flush(Caller caller, long node, long handle, DeferredAnswer answer) {
                kept.add(answer);
            }
        });
    }

    @Test
    void aFlushMayBeAnsweredAfterItsCallHasReturned() throws InterruptedException {
        List<DeferredAnswer> kept = new ArrayList<>();
        Requests other = keeping(kept);
        byte[] body = Requests.body(0L, 0L, 0L);
        assertThat(other.send(other.message(25, 7, body, RequestHeader.SIZE + body.length)))
                .isEmpty();
        long first = other.lastUnique();
        assertThat(other.send(other.message(25, 8, body, RequestHeader.SIZE + body.length)))
                .isEmpty();
        // Until then the kernel may say that its caller waits no longer.
        assertThat(other.send(other.message(36, 0, Requests.body(first), 48))).isEmpty();
        Thread thread = new Thread(() -> kept.get(1).failed(new FuseException(Errno.EEXIST)));
        thread.start();
        thread.join();
        ByteBuffer failed = other.late().orElseThrow();
        assertThat(failed.getLong(8)).isEqualTo(other.lastUnique() - 2);
        assertThat(Requests.error(failed)).isEqualTo(Errno.EEXIST.number());
        kept.get(0).done();
        ByteBuffer done = other.late().orElseThrow();
        assertThat(done.getLong(8)).isEqualTo(first);
        assertThat(Requests.error(done)).isZero();
        assertThat(Requests.error(other.send(36, 0, Requests.body(first)))).isEqualTo(Errno.EAGAIN.number());
    }

    @Test
    void aFlushIsAnsweredOnce() {
        List<DeferredAnswer> kept = new ArrayList<>();
        Requests other = keeping(kept);
        byte[] body = Requests.body(0L, 0L, 0L);
        assertThat(other.send(other.message(25, 7, body, RequestHeader.SIZE + body.length)))
                .isEmpty();
        kept.get(0).done();
        assertThat(other.late()).isPresent();
        assertThatThrownBy(() -> kept.get(0).failed(new IOException("planted")))
                .isInstanceOf(IllegalStateException.class);
        assertThat(other.late()).isEmpty();
        Requests hasty = Requests.begun(new FuseFileSystem() {
            @Override
            public void flush(Caller caller, long node, long handle, DeferredAnswer answer) {
                answer.done();
                throw new IllegalStateException("planted");
            }
        });
        assertThat(Requests.error(hasty.send(25, 7, body))).isZero();
        assertThat(hasty.late()).isEmpty();
    }

    @Test
    void aDefectOfTheFileSystemIsAnErrorOfOneRequest() {
        Requests broken = Requests.begun(new FuseFileSystem() {
            @Override
            public Entry lookup(Caller caller, long parent, String name) throws IOException {
                if (name.equals("io")) {
                    throw new IOException("a disk");
                }
                if (name.equals("denied")) {
                    throw new AccessDeniedException("/denied");
                }
                throw new IllegalStateException("a defect");
            }
        });
        assertThat(Requests.error(broken.send(1, 1, Requests.body("io")))).isEqualTo(Errno.EIO.number());
        assertThat(Requests.error(broken.send(1, 1, Requests.body("denied")))).isEqualTo(Errno.EACCES.number());
        assertThat(Requests.error(broken.send(1, 1, Requests.body("bug")))).isEqualTo(Errno.EIO.number());
        assertThat(Requests.error(broken.send(17, 1, new byte[0]))).isEqualTo(Errno.ENOSYS.number());
        assertThat(Requests.error(broken.send(25, 1, Requests.body(0L, 0L, 0L))))
                .isEqualTo(Errno.ENOSYS.number());
        assertThat(Requests.error(broken.send(25, 1, new byte[3]))).isEqualTo(Errno.EINVAL.number());
    }

    /** Any message has one answer of its own unique, or none, and the next honest one is served. */
    @Test
    void garbageHarmsNothing() {
        Random random = Seed.random();
        for (int i = 0; i < 200_000; i++) {
            byte[] body = new byte[random.nextInt(120)];
            random.nextBytes(body);
            if (random.nextBoolean()) {
                for (int j = 0; j < body.length; j++) {
                    // Many zeros make numbers small, and names end.
                    body[j] = random.nextInt(3) > 0 ? 0 : (byte) random.nextInt(128);
                }
            }
            // A write far out would only fill the memory of the file system below.
            int opcode = random.nextInt(55);
            if (opcode == 16 || opcode == 4 || opcode == 38) {
                continue;
            }
            ByteBuffer message = kernel.message(opcode, random.nextInt(6), body, RequestHeader.SIZE + body.length);
            kernel.send(message).ifPresent(answer -> {
                assertThat(answer.getInt(0)).isEqualTo(answer.remaining());
                assertThat(answer.getLong(8)).isEqualTo(kernel.lastUnique());
                assertThat(Requests.error(answer)).isBetween(0, 200);
            });
        }
        assertThat(Requests.error(kernel.send(3, 1, Requests.body(0, 0, 0L)))).isZero();
    }
}
