package io.packing.worker.rpc;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Serves the buffer of this process to other workers. */
public final class PeerServer implements AutoCloseable {
    /** What is served. */
    public interface Served {
        /** Bytes of a buffered file, at most {@code length}; empty when it is not buffered. */
        Optional<ByteBuffer> read(String mount, FileVersion version, long offset, int length) throws IOException;

        void flush(String mount) throws IOException;
    }

    private final Server server;

    private PeerServer(Server server) {
        this.server = server;
    }

    /** Listens; port 0 takes a free one. */
    public static PeerServer start(String host, int port, Served served) throws IOException {
        return new PeerServer(NettyServerBuilder.forAddress(new InetSocketAddress(host, port))
                .addService(new Service(served))
                .build()
                .start());
    }

    public int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private static final class Service extends PeerGrpc.PeerImplBase {
        private final Served served;

        Service(Served served) {
            this.served = served;
        }

        @Override
        public void read(ReadRequest request, StreamObserver<ReadChunk> replies) {
            try {
                Optional<ByteBuffer> bytes = served.read(
                        request.getMount(),
                        new FileVersion(request.getFileId(), request.getGeneration()),
                        request.getOffset(),
                        request.getLength());
                if (bytes.isEmpty()) {
                    replies.onError(Status.NOT_FOUND.asRuntimeException());
                    return;
                }
                replies.onNext(ReadChunk.newBuilder()
                        .setData(UnsafeByteOperations.unsafeWrap(bytes.get()))
                        .build());
                replies.onCompleted();
            } catch (IOException | RuntimeException e) {
                replies.onError(failure(e));
            }
        }

        @Override
        public void flush(FlushRequest request, StreamObserver<FlushReply> replies) {
            try {
                served.flush(request.getMount());
                replies.onNext(FlushReply.getDefaultInstance());
                replies.onCompleted();
            } catch (IOException | RuntimeException e) {
                replies.onError(failure(e));
            }
        }

        private static RuntimeException failure(Exception e) {
            return Status.INTERNAL.withDescription(e.toString()).withCause(e).asRuntimeException();
        }
    }
}
