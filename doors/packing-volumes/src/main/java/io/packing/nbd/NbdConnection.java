// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The requests of a client after its handshake. One thread reads them. It takes writes itself, in pieces, so that half a
 * request holds no more memory than a piece; reads and syncs are answered by other threads.
 */
final class NbdConnection {
    /** The requests of a connection that are under way; a client with more of them waits. */
    private static final int MOST_UNDER_WAY = 32;

    private static final int MOST_STATUS_RANGES = 4_096;
    private static final long MOST_STATUS_BYTES = 0xffff_0000L;
    private static final long END_SECONDS = 60;
    private static final int BUFFER = 64 << 10;

    /** A request that is answered later. */
    private interface Work {
        void run() throws IOException;
    }

    private final ClientStreams streams;
    private final NbdDevice device;
    private final boolean allocation;
    private final DataInputStream in;
    private final Replies replies;
    private final Executor executor;
    private final Semaphore underWay = new Semaphore(MOST_UNDER_WAY);
    private final byte[] piece = new byte[ReadReply.PIECE];

    NbdConnection(NbdSession session, Executor executor) {
        this.streams = session.streams();
        this.device = session.device();
        this.allocation = session.allocation();
        this.in = new DataInputStream(new BufferedInputStream(streams.in(), BUFFER));
        this.replies = new Replies(session);
        this.executor = executor;
    }

    /** Answers requests until the client ends the connection. */
    void serve() throws IOException, InterruptedException {
        while (true) {
            NbdRequest request = NbdRequest.read(in);
            if (request.type() == NbdNumbers.CMD_DISC) {
                // The client gets the replies that it waits for.
                boolean unused = underWay.tryAcquire(MOST_UNDER_WAY, END_SECONDS, TimeUnit.SECONDS);
                return;
            }
            Optional<NbdException> refused = problem(request);
            if (refused.isPresent()) {
                if (request.type() == NbdNumbers.CMD_WRITE) {
                    in.skipNBytes(request.length());
                }
                fail(request, refused.get());
            } else {
                answer(request);
            }
        }
    }

    private void answer(NbdRequest request) throws IOException, InterruptedException {
        switch (request.type()) {
            case NbdNumbers.CMD_WRITE -> write(request);
            case NbdNumbers.CMD_TRIM, NbdNumbers.CMD_WRITE_ZEROES -> zero(request);
            case NbdNumbers.CMD_FLUSH -> sync(request);
            case NbdNumbers.CMD_READ -> later(request, new ReadReply(device, replies, request)::send);
            case NbdNumbers.CMD_CACHE -> later(request, () -> cache(request));
            default -> later(request, () -> status(request));
        }
    }

    /** Returns the reason to refuse a request, before anything is done for it. */
    private Optional<NbdException> problem(NbdRequest request) {
        int known = NbdNumbers.CMD_FLAG_FUA;
        boolean changes = false;
        switch (request.type()) {
            case NbdNumbers.CMD_READ -> known |= NbdNumbers.CMD_FLAG_DF;
            case NbdNumbers.CMD_WRITE, NbdNumbers.CMD_TRIM -> changes = true;
            case NbdNumbers.CMD_WRITE_ZEROES -> {
                known |= NbdNumbers.CMD_FLAG_NO_HOLE | NbdNumbers.CMD_FLAG_FAST_ZERO;
                changes = true;
            }
            case NbdNumbers.CMD_BLOCK_STATUS -> {
                known |= NbdNumbers.CMD_FLAG_REQ_ONE;
                if (!allocation) {
                    return refusal(NbdError.EINVAL, "the client chose no context");
                }
                if (request.length() == 0) {
                    return refusal(NbdError.EINVAL, "the status of no byte");
                }
            }
            case NbdNumbers.CMD_FLUSH -> {
                if (request.offset() != 0 || request.length() != 0) {
                    return refusal(NbdError.EINVAL, "a flush has no range");
                }
            }
            case NbdNumbers.CMD_CACHE -> {
                // It has a range, as a read has.
            }
            default -> {
                return refusal(NbdError.EINVAL, "command %d is not known".formatted(request.type()));
            }
        }
        if ((request.flags() & ~known) != 0) {
            return refusal(
                    NbdError.EINVAL,
                    "flags %x are not known for command %d".formatted(request.flags() & ~known, request.type()));
        }
        if (changes && device.isReadOnly()) {
            return refusal(NbdError.EPERM, "the device is read-only");
        }
        if (!request.isWithin(device.size())) {
            boolean needsRoom = changes && request.type() != NbdNumbers.CMD_TRIM;
            return refusal(
                    needsRoom ? NbdError.ENOSPC : NbdError.EINVAL,
                    "%d bytes at %s of a device of %d"
                            .formatted(request.length(), Long.toUnsignedString(request.offset()), device.size()));
        }
        boolean isPayload = request.type() == NbdNumbers.CMD_READ || request.type() == NbdNumbers.CMD_WRITE;
        if (isPayload && request.length() > NbdNumbers.MOST_PAYLOAD) {
            return refusal(
                    NbdError.EINVAL, "%d bytes; at most %d".formatted(request.length(), NbdNumbers.MOST_PAYLOAD));
        }
        if (request.has(NbdNumbers.CMD_FLAG_FAST_ZERO) && request.has(NbdNumbers.CMD_FLAG_NO_HOLE)) {
            return refusal(NbdError.ENOTSUP, "zeros without a hole are as slow as a write");
        }
        return Optional.empty();
    }

    private static Optional<NbdException> refusal(NbdError error, String message) {
        return Optional.of(new NbdException(error, message));
    }

    private void write(NbdRequest request) throws IOException, InterruptedException {
        long done = 0;
        while (done < request.length()) {
            int count = (int) Math.min(piece.length, request.length() - done);
            in.readFully(piece, 0, count);
            try {
                device.write(request.offset() + done, ByteBuffer.wrap(piece, 0, count));
            } catch (IOException e) {
                in.skipNBytes(request.length() - done - count);
                fail(request, e);
                return;
            }
            done += count;
        }
        changed(request);
    }

    private void zero(NbdRequest request) throws IOException, InterruptedException {
        try {
            if (request.has(NbdNumbers.CMD_FLAG_NO_HOLE)) {
                Arrays.fill(piece, (byte) 0);
                for (long done = 0; done < request.length(); ) {
                    int count = (int) Math.min(piece.length, request.length() - done);
                    device.write(request.offset() + done, ByteBuffer.wrap(piece, 0, count));
                    done += count;
                }
            } else if (request.length() > 0) {
                device.punch(request.offset(), request.length());
            }
        } catch (IOException e) {
            fail(request, e);
            return;
        }
        changed(request);
    }

    private void changed(NbdRequest request) throws IOException, InterruptedException {
        if (request.has(NbdNumbers.CMD_FLAG_FUA)) {
            sync(request);
        } else {
            replies.done(request);
        }
    }

    /** Answers when all that was answered before is durable, on another thread: this client may not read its replies. */
    private void sync(NbdRequest request) throws InterruptedException {
        underWay.acquire();
        CompletableFuture<Void> unused = device.flush()
                .whenCompleteAsync(
                        (done, failure) -> ended(request, () -> {
                            if (failure == null) {
                                replies.done(request);
                            } else {
                                Throwable cause =
                                        failure instanceof CompletionException wrapped && wrapped.getCause() != null
                                                ? wrapped.getCause()
                                                : failure;
                                fail(request, cause);
                            }
                        }),
                        executor);
    }

    private void later(NbdRequest request, Work work) throws IOException, InterruptedException {
        underWay.acquire();
        try {
            executor.execute(() -> ended(request, work));
        } catch (RejectedExecutionException e) {
            underWay.release();
            throw new IOException("the server stops", e);
        }
    }

    private void ended(NbdRequest request, Work work) {
        try {
            try {
                work.run();
            } catch (NbdException e) {
                fail(request, e);
            }
        } catch (IOException e) {
            close();
        } catch (RuntimeException | Error e) {
            // The client must not wait for ever.
            close();
            throw e;
        } finally {
            underWay.release();
        }
    }

    private void cache(NbdRequest request) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(ReadReply.PIECE);
        // A hint: bytes beyond those of one read would drive out what the cache has.
        long end = request.offset() + Math.min(request.length(), NbdNumbers.MOST_PAYLOAD);
        for (long at = request.offset(); at < end; at += read.limit()) {
            device.read(at, read.clear().limit((int) Math.min(ReadReply.PIECE, end - at)));
        }
        replies.done(request);
    }

    private void status(NbdRequest request) throws IOException {
        int most = request.has(NbdNumbers.CMD_FLAG_REQ_ONE) ? 1 : MOST_STATUS_RANGES;
        List<DeviceRange> ranges = device.ranges(request.offset(), Math.min(request.length(), MOST_STATUS_BYTES), most);
        replies.ranges(request, ranges);
    }

    private void fail(NbdRequest request, Throwable failure) throws IOException {
        replies.failed(request, NbdException.of(failure), String.valueOf(failure.getMessage()));
    }

    private void close() {
        try {
            streams.socket().close();
        } catch (IOException e) {
            // It is closed for its reader, too.
        }
    }
}
