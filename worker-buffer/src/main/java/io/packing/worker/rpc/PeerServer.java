// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.BdtUser;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.spans.Spans;
import io.packing.transport.AccessControl;
import io.packing.transport.CheckedMessages;
import io.packing.transport.RpcServer;
import io.packing.transport.RpcServerBuilder;
import io.packing.transport.SpanCalls;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.read.BatchAnswer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** The server of this process's buffer for other workers, and of clients that write files. */
public final class PeerServer implements PeerNetwork.Server {
    /** The largest answer: a file as large as the largest extent, and some more. */
    static final int MAX_MESSAGE_BYTES = 8 << 20;

    /** The most bytes of one read: an extent. */
    static final int MAX_READ_BYTES = Extent.MAX_LENGTH;
    /**
     * The window of each call: a batch, or a part of a large file. A call whose file waits for room holds as much
     * outside of the heap.
     */
    private static final int WINDOW_BYTES = 1 << 20;

    /** The concurrent reads: each makes its answer in memory. */
    private static final int READ_THREADS = 16;

    /** The concurrent reads of blobs. They wait for the store, and reads of buffered bytes must not wait for them. */
    private static final int STORED_READ_THREADS = 32;

    /** The concurrent batches of small files: each has a few megabytes of them in memory, and waits for the store. */
    private static final int BATCH_THREADS = 8;

    /** The mounts that the server serves. Its methods may wait: no thread that moves bytes calls them. */
    public interface Served {
        /**
         * Reads at most {@code length} bytes of a buffered file, none at or past its end; empty: it is not buffered.
         */
        Optional<ByteBuffer> read(String mount, FileVersion version, long offset, int length) throws IOException;

        /**
         * Reads bytes of a file in blobs, at most {@code length}; empty when it is not in blobs. The server has checked
         * the caller's right.
         */
        Optional<ByteBuffer> readStored(String mount, FileVersion version, long offset, int length) throws IOException;

        /**
         * Returns the end of the bytes, from an offset on, that a client may have; empty: the client has to locate the
         * file again.
         *
         * @param path by which the client opened the file
         * @throws io.packing.bdt.DeniedException when it may not have the byte at the offset
         */
        OptionalLong readableUntil(String mount, FilePath path, FileVersion version, String user, long offset)
                throws IOException;

        /**
         * Reads whole small files, as many of the first as one answer takes.
         *
         * @param user whose rights count; empty: the server identifies no caller
         * @param readsOn true if the client reads the files behind these next, in the order of their blobs
         */
        List<BatchAnswer> readBatch(String mount, List<FilePath> paths, Optional<BdtUser> user, boolean readsOn)
                throws IOException;

        void flush(String mount) throws IOException;

        /** Stores a whole file. The caller does not change the bytes until the future is done. */
        CompletableFuture<FileVersion> put(String mount, FilePath path, CreateOptions options, ByteBuffer bytes)
                throws IOException;

        /** Starts a file of any size. */
        PackingOutput create(String mount, FilePath path, CreateOptions options) throws IOException;
    }

    private final RpcServer server;

    private PeerServer(RpcServer server) {
        this.server = server;
    }

    /**
     * Starts to listen; port 0 takes a free one.
     *
     * @param access checks callers by {@link PeerRights}
     * @throws IllegalArgumentException when the server would be open to other machines without the operator's consent
     */
    public static PeerServer start(String host, int port, Served served, AccessControl access) throws IOException {
        return new PeerServer(new RpcServerBuilder(host, port, PeerLimits.LIMITS.mostBytes(), access)
                .window(WINDOW_BYTES)
                .threads(PeerGrpc.getReadMethod(), "peer-read", READ_THREADS)
                .threads(PeerGrpc.getReadStoredMethod(), "peer-stored", STORED_READ_THREADS)
                .threads(PeerGrpc.getReadBatchMethod(), "peer-batch", BATCH_THREADS)
                .service(CheckedMessages.around(
                        ServerInterceptors.intercept(
                                new Service(served).bindService(), SpanCalls.ofServers(Spans.NONE)),
                        PeerLimits.LIMITS,
                        StatusMapping::toStatus))
                .start());
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }

    private static final class Service extends PeerGrpc.PeerImplBase {
        private final Served served;

        Service(Served served) {
            this.served = served;
        }

        @Override
        public void read(ReadRequest request, StreamObserver<ReadChunk> replies) {
            answer(request, replies, this::buffered);
        }

        @Override
        public void readStored(ReadRequest request, StreamObserver<ReadChunk> replies) {
            answer(request, replies, this::stored);
        }

        /** A way to answer a read. */
        private interface Reading {
            /** Sends the requested bytes; returns the number of those found. */
            int send(ReadRequest request, StreamObserver<ReadChunk> replies) throws IOException;
        }

        private static void answer(ReadRequest request, StreamObserver<ReadChunk> replies, Reading reading) {
            try {
                check(request);
                if (reading.send(request, replies) == 0) {
                    replies.onError(Status.NOT_FOUND.asRuntimeException());
                } else {
                    replies.onCompleted();
                }
            } catch (IOException | RuntimeException | StackOverflowError e) {
                replies.onError(StatusMapping.toStatus(e));
            }
        }

        private int buffered(ReadRequest request, StreamObserver<ReadChunk> replies) throws IOException {
            return send(request, readable(request, PeerCaller.reader()), served::read, replies);
        }

        private int stored(ReadRequest request, StreamObserver<ReadChunk> replies) throws IOException {
            return send(request, readable(request, PeerCaller.readerOfBlobs()), served::readStored, replies);
        }

        /** A source of bytes of a file, which may give fewer than asked for. */
        private interface Source {
            Optional<ByteBuffer> read(String mount, FileVersion version, long offset, int length) throws IOException;
        }

        /**
         * Sends at most so many bytes. The caller's right is checked before: a refusal must not depend on the presence
         * of bytes, nor cost a request.
         */
        private static int send(ReadRequest request, int most, Source source, StreamObserver<ReadChunk> replies)
                throws IOException {
            int done = 0;
            while (done < most) {
                Optional<ByteBuffer> bytes =
                        source.read(request.getMount(), version(request), request.getOffset() + done, most - done);
                if (bytes.isEmpty() || !bytes.get().hasRemaining()) {
                    break;
                }
                done += send(bytes.get(), most - done, replies);
            }
            return done;
        }

        private static int send(ByteBuffer bytes, int most, StreamObserver<ReadChunk> replies) {
            ByteBuffer part = bytes.duplicate();
            part.limit(Math.min(part.limit(), part.position() + most));
            replies.onNext(ReadChunk.newBuilder()
                    .setData(UnsafeByteOperations.unsafeWrap(part))
                    .setCrc32C(ExtentCodec.crc32c(part))
                    .build());
            return part.remaining();
        }

        private static FileVersion version(ReadRequest request) {
            return new FileVersion(request.getFileId(), request.getGeneration());
        }

        /**
         * Returns the path by which the client opened the file; the root for a client of an older version, which sends
         * none.
         */
        private static FilePath path(ReadRequest request) {
            return request.getPath().isEmpty() ? FilePath.ROOT : new FilePath(request.getPath());
        }

        /** Returns the number of requested bytes that a caller may have; 0: the version is gone. */
        private int readable(ReadRequest request, Optional<String> reader) throws IOException {
            if (reader.isEmpty()) {
                return request.getLength();
            }
            long start = request.getOffset();
            long end = served.readableUntil(request.getMount(), path(request), version(request), reader.get(), start)
                    .orElse(start);
            return (int) Math.min(request.getLength(), end - start);
        }

        @Override
        public void readBatch(ReadBatchRequest request, StreamObserver<ReadBatchReply> replies) {
            try {
                FoundEntry.checkCount(request.getPathsCount());
                List<FilePath> paths =
                        request.getPathsList().stream().map(FilePath::new).toList();
                List<BatchAnswer> files =
                        served.readBatch(request.getMount(), paths, PeerCaller.user(), request.getReadsOn());
                replies.onNext(request.getJoined() ? BatchCodec.joined(files) : BatchCodec.reply(files));
                replies.onCompleted();
            } catch (IOException | RuntimeException | StackOverflowError e) {
                replies.onError(StatusMapping.toStatus(e));
            }
        }

        @Override
        public void flush(FlushRequest request, StreamObserver<FlushReply> replies) {
            try {
                served.flush(request.getMount());
                replies.onNext(FlushReply.getDefaultInstance());
                replies.onCompleted();
            } catch (IOException | RuntimeException | StackOverflowError e) {
                replies.onError(StatusMapping.toStatus(e));
            }
        }

        @Override
        public StreamObserver<WriteBatch> write(StreamObserver<WriteBatchReply> replies) {
            return WriteCall.start(served, (ServerCallStreamObserver<WriteBatchReply>) replies);
        }

        @Override
        public StreamObserver<LargePart> writeLarge(StreamObserver<WriteResult> reply) {
            return LargeWriteCall.start(served, (ServerCallStreamObserver<WriteResult>) reply);
        }

        private static void check(ReadRequest request) {
            boolean sane = request.getOffset() >= 0
                    && request.getLength() > 0
                    && request.getLength() <= MAX_READ_BYTES
                    && request.getOffset() <= Long.MAX_VALUE - request.getLength();
            if (!sane) {
                throw new IllegalArgumentException("a read of %d bytes at %d, want 1 to %d"
                        .formatted(request.getLength(), request.getOffset(), MAX_READ_BYTES));
            }
        }
    }
}
