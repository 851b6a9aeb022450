package io.packing.worker.rpc;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.packing.bdt.UnavailableException;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.CreateOptions;
import io.packing.worker.read.Peers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Reaches workers over gRPC, one channel each. */
public final class PeerClient implements Peers, AutoCloseable {
    static final int KEEP_ALIVE_SECONDS = 20;
    private static final long READ_SECONDS = 60;

    private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

    private ManagedChannel channel(String address) {
        return channels.computeIfAbsent(
                address,
                to -> NettyChannelBuilder.forTarget(to)
                        .usePlaintext()
                        .maxInboundMessageSize(PeerServer.MAX_MESSAGE_BYTES)
                        .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                        .build());
    }

    private PeerGrpc.PeerBlockingStub peer(String address) {
        return PeerGrpc.newBlockingStub(channel(address));
    }

    /**
     * A stream for small files of a mount to the worker at an address. Does not fail here: files do.
     *
     * @param uploaded whether the worker answers only when a file is uploaded
     */
    public WriteStream writes(String address, String mount, boolean uploaded) {
        int batches = uploaded ? WriteStream.MANY_BATCHES : WriteStream.FEW_BATCHES;
        return WriteStream.open(PeerGrpc.newStub(channel(address)), address, mount, batches);
    }

    /** Starts a file of any size at the worker at an address. */
    public LargeWrite create(String address, String mount, FilePath path, CreateOptions options) throws IOException {
        return LargeWrite.start(PeerGrpc.newStub(channel(address)), address, mount, path, options);
    }

    @Override
    public Optional<ByteBuffer> read(String address, String mount, FileVersion version, long offset, int length)
            throws IOException {
        ReadRequest request = ReadRequest.newBuilder()
                .setMount(mount)
                .setFileId(version.id())
                .setGeneration(version.generation())
                .setOffset(offset)
                .setLength(length)
                .build();
        try {
            Iterator<ReadChunk> chunks = peer(address)
                    .withDeadlineAfter(READ_SECONDS, TimeUnit.SECONDS)
                    .read(request);
            ByteBuffer bytes = ByteBuffer.allocate(length);
            while (chunks.hasNext()) {
                bytes.put(checked(address, version, chunks.next(), bytes.remaining()));
            }
            return bytes.position() == 0 ? Optional.empty() : Optional.of(bytes.flip());
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
                return Optional.empty();
            }
            throw failure(address, e);
        }
    }

    private static ByteBuffer checked(String address, FileVersion version, ReadChunk chunk, int most)
            throws CorruptBlobException {
        ByteBuffer data = chunk.getData().asReadOnlyByteBuffer();
        if (data.remaining() > most || (chunk.hasCrc32C() && ExtentCodec.crc32c(data) != chunk.getCrc32C())) {
            throw new CorruptBlobException("worker at %s: the bytes of file %s were damaged on the way, %d were sent"
                    .formatted(address, version, data.remaining()));
        }
        return data;
    }

    @Override
    public void flush(String address, String mount) throws IOException {
        try {
            FlushReply unused = peer(address)
                    .flush(FlushRequest.newBuilder().setMount(mount).build());
        } catch (StatusRuntimeException e) {
            throw failure(address, e);
        }
    }

    private static IOException failure(String address, StatusRuntimeException e) {
        return e.getStatus().getCode() == Status.Code.INTERNAL
                ? new IOException(
                        "worker at %s: %s".formatted(address, e.getStatus().getDescription()), e)
                : new UnavailableException("worker at %s: %s".formatted(address, e.getStatus()), e);
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }
}
