// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Threads that serve a device until its mount is gone. They are never interrupted: that would close the device. Every
 * exception of a call is answered, and the threads go on; their handler of uncaught exceptions receives errors, and may
 * end the process.
 */
public final class FuseServer {
    private static final Logger LOG = System.getLogger(FuseServer.class.getName());
    private static final int RESEND = 7;

    private final FuseSession session;
    private final FuseOptions settings;
    private final Supplier<? extends FuseDevice> devices;
    private final List<Thread> threads = new ArrayList<>();

    FuseServer(FuseSession session, FuseOptions settings, Supplier<? extends FuseDevice> devices) {
        this.session = session;
        this.settings = settings;
        this.devices = devices;
    }

    /** Serves the device that this process has as its standard input. */
    public static FuseServer onStandardInput(FuseSession session, FuseOptions settings) {
        return new FuseServer(session, settings, StandardInputDevice::new);
    }

    /**
     * Answers INIT, in the calling thread.
     *
     * @return false when the mount was gone before
     */
    public boolean begin() throws IOException {
        try (FuseDevice device = devices.get()) {
            Worker worker = new Worker(device);
            while (!session.isReady()) {
                if (!worker.step()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Makes the kernel send those requests again that an earlier server of this mount has read and not answered. */
    public void askAgain() throws IOException {
        try (FuseDevice device = devices.get()) {
            ByteBuffer notice = buffer(Reply.HEADER);
            notice.putInt(Reply.HEADER).putInt(RESEND).putLong(0).flip();
            device.write(notice);
        }
    }

    /** Starts the threads. */
    public void start() {
        for (int i = 0; i < settings.threads(); i++) {
            Thread thread = new Thread(new Worker(devices.get()), "fuse-" + i);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    /** Waits until the mount is gone. */
    public void await() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Hands a failure to this thread's handler of uncaught exceptions; the thread goes on. */
    static void tell(Throwable failure) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** One thread with its buffers. */
    private final class Worker implements Runnable {
        /** A write has its header before its bytes. */
        private static final int HEADERS = 4096;

        private final FuseDevice device;
        private final ByteBuffer request;
        private final Reply reply;

        Worker(FuseDevice device) {
            int bytes = Math.max(FuseSession.LEAST_BUFFER, settings.maxWriteBytes()) + HEADERS;
            this.device = device;
            this.request = buffer(bytes);
            this.reply = new Reply(buffer(bytes));
        }

        /** Serves one request; false: the mount is gone. */
        boolean step() throws IOException {
            if (!device.read(request)) {
                return false;
            }
            Optional<ByteBuffer> answer = session.answer(request, reply, device::write);
            if (answer.isPresent()) {
                device.write(answer.get());
            }
            return true;
        }

        @Override
        public void run() {
            boolean goes = true;
            while (goes) {
                try {
                    goes = step();
                } catch (IOException e) {
                    // The kernel refused an answer: it keeps the request, and the waiting process can be killed.
                    LOG.log(Level.ERROR, "the FUSE device refused a read or an answer", e);
                    goes = device.isUsable();
                } catch (RuntimeException | Error e) {
                    // The end of a thread would show only when none is left, so it goes on.
                    LOG.log(Level.ERROR, "a request could not be read or answered", e);
                    tell(e);
                    goes = device.isUsable();
                }
            }
        }
    }
}
