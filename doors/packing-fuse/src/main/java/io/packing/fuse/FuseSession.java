// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Answers requests of the kernel by calls of a file system. A message that breaks the protocol is refused with EINVAL,
 * an unknown one with ENOSYS; neither harms the requests after it. Called by many threads at once, each with buffers of
 * its own.
 */
public final class FuseSession {
    private static final Logger LOG = System.getLogger(FuseSession.class.getName());

    /** Bytes of the smallest device read: the kernel refuses smaller buffers. */
    static final int LEAST_BUFFER = 8192;

    private final FuseFileSystem files;
    private final Negotiation negotiation;
    private final NameRequests names;
    private final FileRequests contents;
    private final AttributeRequests attributes;
    private final Map<Long, AtomicBoolean> running = new ConcurrentHashMap<>();
    private final AtomicBoolean destroyed = new AtomicBoolean();
    private volatile boolean ready;
    private volatile long agreed;

    public FuseSession(FuseFileSystem files, FuseOptions settings) {
        this.files = files;
        this.negotiation = new Negotiation(settings);
        this.names = new NameRequests(files);
        this.contents = new FileRequests(files, settings.maxWriteBytes());
        this.attributes = new AttributeRequests(files);
    }

    /** Goes on with a mount that an earlier server agreed on. */
    public void resume(long agreedBefore) {
        agreed = agreedBefore;
        ready = true;
    }

    /** Returns whether INIT was answered. */
    public boolean isReady() {
        return ready;
    }

    /** Returns the flags that both sides know, after INIT. */
    public long agreed() {
        return agreed;
    }

    /** Returns whether the kernel can send unanswered requests to another server of the mount. */
    public boolean canResume() {
        return (agreed & InitFlags.HAS_RESEND) != 0;
    }

    /** Returns whether the kernel said that the mount is gone. */
    public boolean isDestroyed() {
        return destroyed.get();
    }

    /** Takes answers that come after their requests were read, from any thread. */
    interface Late {
        void write(ByteBuffer answer) throws IOException;
    }

    /**
     * Answers one request.
     *
     * @param request from its position to its limit
     * @return the bytes to write to the device; empty for a request without an answer, or with a later one
     */
    Optional<ByteBuffer> answer(ByteBuffer request, Reply reply, Late late) {
        if (request.remaining() < RequestHeader.SIZE) {
            LOG.log(Level.WARNING, "a request of {0} bytes has no header", request.remaining());
            return Optional.empty();
        }
        int available = request.remaining();
        RequestHeader header = RequestHeader.read(request);
        Optional<Opcode> opcode = Opcode.of(header.opcode());
        if (opcode.isPresent() && opcode.get().isSilent()) {
            forget(opcode.get(), header, request);
            return Optional.empty();
        }
        if (header.length() != available || header.extension() > available - RequestHeader.SIZE) {
            return Optional.of(reply.fail(header.unique(), Errno.EINVAL));
        }
        request.limit(request.limit() - header.extension());
        if (opcode.isEmpty()) {
            return Optional.of(reply.fail(header.unique(), Errno.ENOSYS));
        }
        if (opcode.get() == Opcode.INTERRUPT) {
            return interrupt(header, request, reply);
        }
        MessageReader in = new MessageReader(request);
        return opcode.get() == Opcode.FLUSH
                ? flush(header, in, reply, late)
                : Optional.of(run(opcode.get(), header, in, reply));
    }

    private ByteBuffer run(Opcode opcode, RequestHeader header, MessageReader in, Reply reply) {
        Caller caller = begin(header);
        reply.clear();
        try {
            dispatch(opcode, new Request(caller, header.node(), in, reply));
            return reply.finish(header.unique());
        } catch (FuseException | IOException | RuntimeException | Error e) {
            return reply.fail(header.unique(), why(opcode, header.node(), e));
        } finally {
            running.remove(header.unique());
        }
    }

    private Caller begin(RequestHeader header) {
        AtomicBoolean interrupted = new AtomicBoolean();
        running.put(header.unique(), interrupted);
        return new Caller(header.user(), header.group(), header.process(), header.isAgain(), interrupted::get);
    }

    private Optional<ByteBuffer> flush(RequestHeader header, MessageReader in, Reply reply, Late late) {
        LateAnswer answer = new LateAnswer(header, late);
        Caller caller = begin(header);
        try {
            checkReady();
            contents.flush(new Request(caller, header.node(), in, reply), answer);
        } catch (FuseException | IOException | RuntimeException | Error e) {
            answer.thrown(e);
        }
        return Optional.empty();
    }

    /** The answer to a FLUSH, which has no body. */
    private final class LateAnswer implements DeferredAnswer {
        private final RequestHeader header;
        private final Late late;
        private final AtomicBoolean given = new AtomicBoolean();

        LateAnswer(RequestHeader header, Late late) {
            this.header = header;
            this.late = late;
        }

        @Override
        public void done() {
            give(0);
        }

        @Override
        public void failed(Throwable why) {
            give(FuseSession.why(Opcode.FLUSH, header.node(), why).number());
        }

        /** Answers a call that ended by an exception; if it was answered before, that is a defect. */
        void thrown(Throwable why) {
            Errno errno = FuseSession.why(Opcode.FLUSH, header.node(), why);
            if (!given.get()) {
                give(errno.number());
            }
        }

        private void give(int errno) {
            if (!given.compareAndSet(false, true)) {
                throw new IllegalStateException("request %d is answered twice".formatted(header.unique()));
            }
            running.remove(header.unique());
            ByteBuffer message = ByteBuffer.allocate(Reply.HEADER).order(ByteOrder.nativeOrder());
            message.putInt(Reply.HEADER).putInt(-errno).putLong(header.unique()).flip();
            try {
                late.write(message);
            } catch (IOException e) {
                // As for an answer at once: the waiting process can be killed.
                LOG.log(Level.ERROR, "the FUSE device refused an answer", e);
            }
        }
    }

    /** Returns the error number that the kernel receives for an exception. */
    private static Errno why(Opcode opcode, long node, Throwable e) {
        if (e instanceof FuseException known) {
            LOG.log(Level.DEBUG, () -> "%s of node %d: %s".formatted(opcode, node, e.getMessage()));
            return known.errno();
        }
        if (e instanceof ErrnoException known) {
            LOG.log(Level.DEBUG, () -> "%s of node %d: %s".formatted(opcode, node, e.getMessage()));
            return known.errno();
        }
        if (e instanceof AccessDeniedException) {
            LOG.log(Level.DEBUG, () -> "%s of node %d was denied: %s".formatted(opcode, node, e.getMessage()));
            return Errno.EACCES;
        }
        if (e instanceof IOException) {
            LOG.log(Level.WARNING, () -> "%s of node %d failed: %s".formatted(opcode, node, e));
        } else if (e instanceof Error) {
            // Answered as well, or the caller hangs in the kernel. Whether the process goes on is for others to say.
            LOG.log(Level.ERROR, () -> "%s of node %d: an error".formatted(opcode, node), e);
            FuseServer.tell(e);
        } else {
            LOG.log(Level.ERROR, () -> "%s of node %d: a defect".formatted(opcode, node), e);
        }
        return Errno.EIO;
    }

    private void dispatch(Opcode opcode, Request request) throws FuseException, IOException {
        if (opcode == Opcode.INIT) {
            OptionalLong flags = negotiation.answer(request.in(), request.reply());
            if (flags.isPresent()) {
                agreed = flags.getAsLong();
                ready = true;
            }
            return;
        }
        checkReady();
        if (opcode == Opcode.DESTROY) {
            if (destroyed.compareAndSet(false, true)) {
                files.destroy();
            }
            return;
        }
        boolean known =
                names.answer(opcode, request) || contents.answer(opcode, request) || attributes.answer(opcode, request);
        if (!known) {
            throw new FuseException(Errno.ENOSYS);
        }
    }

    private void checkReady() throws FuseException {
        if (!ready) {
            throw new FuseException(Errno.EIO, "a request before INIT");
        }
    }

    private Optional<ByteBuffer> interrupt(RequestHeader header, ByteBuffer body, Reply reply) {
        if (body.remaining() < 8) {
            return Optional.of(reply.fail(header.unique(), Errno.EINVAL));
        }
        AtomicBoolean request = running.get(body.getLong());
        if (request != null) {
            request.set(true);
            return Optional.empty();
        }
        // Perhaps another thread has read the request and not got as far as this: the kernel is to ask again.
        return Optional.of(reply.fail(header.unique(), Errno.EAGAIN));
    }

    private void forget(Opcode opcode, RequestHeader header, ByteBuffer body) {
        try {
            MessageReader in = new MessageReader(body);
            if (opcode == Opcode.FORGET) {
                forget(header.node(), in.int64());
                return;
            }
            int count = in.int32();
            in.skip(4);
            for (int i = 0; i < count; i++) {
                forget(in.int64(), in.int64());
            }
        } catch (FuseException e) {
            LOG.log(Level.WARNING, "{0} is too short", opcode);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, () -> "%s: a defect".formatted(opcode), e);
        }
    }

    private void forget(long node, long lookups) {
        if (lookups > 0) {
            files.forget(node, lookups);
        }
    }
}
