// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server's threads outlive an exception in them, and the handler of uncaught exceptions receives it. */
@Timeout(60)
class FuseServerTest {
    private static final int ACCESS = 34;
    private static final FuseOptions SETTINGS = new FuseOptions(false, 1, 1 << 20, 1);

    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private final List<Throwable> told = new CopyOnWriteArrayList<>();
    private final List<Integer> errors = new ArrayList<>();
    private final Queue<Object> script = new ArrayDeque<>();

    /** A device that gives the messages of the script, and throws its exceptions. */
    private final class ScriptedDevice implements FuseDevice {
        @Override
        public boolean read(ByteBuffer into) throws IOException {
            Object next = script.poll();
            if (next instanceof Error error) {
                throw error;
            }
            if (next instanceof RuntimeException exception) {
                throw exception;
            }
            if (next instanceof ByteBuffer message) {
                into.clear();
                into.put(message).flip();
            }
            return next != null;
        }

        @Override
        public boolean isUsable() {
            return true;
        }

        @Override
        public void write(ByteBuffer answer) {
            errors.add(Requests.error(answer));
        }

        @Override
        public void close() {}
    }

    @AfterEach
    void restoreTheHandler() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    private void serve(FuseFileSystem files, List<Object> events) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> told.add(failure));
        script.addAll(events);
        FuseSession session = new FuseSession(files, SETTINGS);
        session.resume(0);
        FuseServer server = new FuseServer(session, SETTINGS, ScriptedDevice::new);
        server.start();
        server.await();
    }

    private static ByteBuffer access(int mask) {
        byte[] body = Requests.body(mask, 0);
        return new Requests(new FuseFileSystem() {}).message(ACCESS, 1, body, RequestHeader.SIZE + body.length);
    }

    @Test
    void anErrorOfTheFileSystemIsAnErrorOfOneRequestAndTold() throws InterruptedException {
        List<Error> thrown = List.of(new StackOverflowError("planted"), new NoClassDefFoundError("planted"));
        FuseFileSystem files = new FuseFileSystem() {
            @Override
            public void access(Caller caller, long node, int mask) {
                if (mask < thrown.size()) {
                    throw thrown.get(mask);
                }
            }
        };
        serve(files, List.of(access(0), access(7), access(1), access(7)));
        assertThat(errors).containsExactly(Errno.EIO.number(), 0, Errno.EIO.number(), 0);
        assertThat(told).isEqualTo(thrown);
    }

    @Test
    void aThreadGoesOnAfterWhatIsThrownOutsideOfACall() throws InterruptedException {
        Error error = new AssertionError("planted");
        RuntimeException defect = new IllegalStateException("planted");
        FuseFileSystem files = new FuseFileSystem() {
            @Override
            public void access(Caller caller, long node, int mask) {}
        };
        serve(files, List.of(error, access(7), defect, access(7)));
        assertThat(errors).containsExactly(0, 0);
        assertThat(told).containsExactly(error, defect);
    }
}
