// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.packing.bdt.DeniedException;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.client.Retry;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.transport.Security;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.read.BatchAnswer;
import io.packing.worker.read.Peers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** A client of workers over gRPC, with one channel to each. */
public final class PeerClient implements PeerNetwork.Client {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final WorkerChannels channels;

    /** @param security of the connections */
    public PeerClient(Security security) {
        this(security, PATIENCE);
    }

    /**
     * Creates a client of workers.
     *
     * @param security of the connections
     * @param patience the longest silence of a worker that owes an answer
     */
    public PeerClient(Security security, Duration patience) {
        channels = new WorkerChannels(security, patience, System::nanoTime);
    }

    /** Returns the reason why the worker at an address does not serve; empty when it does. */
    public Optional<String> problem(String address, String mount, Duration timeout) {
        ReadRequest request = WorkerChannels.question(mount);
        for (boolean again = false; ; again = true) {
            Channel channel = channels.to(address);
            try {
                boolean answered = PeerGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS)
                        .read(request)
                        .hasNext();
                return answered ? Optional.empty() : Optional.of("it answers nothing");
            } catch (StatusRuntimeException e) {
                switch (e.getStatus().getCode()) {
                    case NOT_FOUND, INTERNAL -> {
                        return Optional.empty();
                    }
                    case UNAVAILABLE -> {
                        channels.renew(address, channel);
                        if (again) {
                            return Optional.of(reason(e));
                        }
                    }
                    default -> {
                        return Optional.of(noAnswer(e, timeout));
                    }
                }
            }
        }
    }

    private static String noAnswer(StatusRuntimeException e, Duration timeout) {
        return e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED
                ? "no answer within %.1f s".formatted(timeout.toMillis() / 1e3)
                : reason(e);
    }

    /** Returns the deepest cause: "Connection refused" rather than "io exception". */
    private static String reason(StatusRuntimeException e) {
        Throwable deepest = e;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest == e ? e.getStatus().toString() : String.valueOf(deepest.getMessage());
    }

    /**
     * Opens a stream for small files of a mount to the worker at an address. It does not fail here: its files do.
     *
     * @param uploaded true if the worker answers only when a file is uploaded
     */
    public WriteStream writes(String address, String mount, boolean uploaded) {
        int batches = uploaded ? WriteStream.MANY_BATCHES : WriteStream.FEW_BATCHES;
        // The thread that brings an answer also takes it, so that no other thread has to wake up.
        PeerGrpc.PeerStub peer = PeerGrpc.newStub(channels.to(address)).withExecutor(Runnable::run);
        return WriteStream.open(peer, address, mount, batches);
    }

    /** Starts a file of any size at the worker at an address. */
    public LargeWrite create(String address, String mount, FilePath path, CreateOptions options) throws IOException {
        return LargeWrite.start(PeerGrpc.newStub(channels.to(address)), address, mount, path, options);
    }

    @Override
    public Peers reading(Duration timeout) {
        return new Peers() {
            @Override
            public Optional<ByteBuffer> read(
                    String address, String mount, FilePath path, FileVersion version, long offset, int length)
                    throws IOException {
                ReadRequest request = request(mount, path, version, offset, length);
                return PeerClient.this.read(address, request, version, timeout, PeerGrpc.PeerBlockingStub::read);
            }

            @Override
            public Optional<ByteBuffer> readStored(
                    String address, String mount, FilePath path, FileVersion version, long offset, int length)
                    throws IOException {
                ReadRequest request = request(mount, path, version, offset, length);
                return PeerClient.this.read(address, request, version, timeout, PeerGrpc.PeerBlockingStub::readStored);
            }

            @Override
            public void flush(String address, String mount) throws IOException {
                PeerClient.this.flush(address, mount, timeout);
            }
        };
    }

    private static ReadRequest request(String mount, FilePath path, FileVersion version, long offset, int length) {
        return ReadRequest.newBuilder()
                .setMount(mount)
                .setPath(path.value())
                .setFileId(version.id())
                .setGeneration(version.generation())
                .setOffset(offset)
                .setLength(length)
                .build();
    }

    /** An RPC that reads. */
    private interface ReadCall {
        Iterator<ReadChunk> of(PeerGrpc.PeerBlockingStub worker, ReadRequest request);
    }

    private Optional<ByteBuffer> read(
            String address, ReadRequest request, FileVersion version, Duration timeout, ReadCall call)
            throws IOException {
        Retry whileFull = new Retry(
                (what, waited, last) ->
                        "%s: the worker is full of answers that other clients do not take: %s".formatted(what, last),
                timeout,
                System::nanoTime,
                Thread::sleep,
                RandomGenerator.getDefault());
        return whileFull
                .call("worker at " + address, left -> attempt(address, request, version, left, call))
                .bytes();
    }

    /** The result of a read that the worker had room for. */
    private interface Read {
        Optional<ByteBuffer> bytes() throws IOException;
    }

    /**
     * Reads once.
     *
     * @throws UnavailableException when the worker has no room for the answer now
     */
    private Read attempt(String address, ReadRequest request, FileVersion version, Duration timeout, ReadCall call)
            throws IOException {
        for (boolean again = false; ; again = true) {
            Channel channel = channels.to(address);
            try {
                Iterator<ReadChunk> chunks = call.of(
                        PeerGrpc.newBlockingStub(channel).withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS),
                        request);
                ByteBuffer bytes = ByteBuffer.allocate(request.getLength());
                while (chunks.hasNext()) {
                    bytes.put(checked(address, version, chunks.next(), bytes.remaining()));
                }
                Optional<ByteBuffer> all = bytes.position() == 0 ? Optional.empty() : Optional.of(bytes.flip());
                return () -> all;
            } catch (StatusRuntimeException e) {
                switch (e.getStatus().getCode()) {
                    case NOT_FOUND -> {
                        return Optional::empty;
                    }
                    case RESOURCE_EXHAUSTED -> throw new UnavailableException(reason(e), e);
                    case INTERNAL -> throw failure(address, e);
                    case PERMISSION_DENIED ->
                        throw new DeniedException(String.valueOf(e.getStatus().getDescription()));
                    case UNAVAILABLE -> {
                        channels.renew(address, channel);
                        if (again) {
                            return failed(new UnavailableException(reason(e), e));
                        }
                    }
                    case UNIMPLEMENTED -> {
                        return failed(new UnavailableException(
                                "it is of an older version, which reads no blobs for clients: update it", e));
                    }
                    default -> {
                        return failed(new UnavailableException(noAnswer(e, timeout), e));
                    }
                }
            }
        }
    }

    private static Read failed(UnavailableException why) {
        return () -> {
            throw why;
        };
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

    /**
     * Reads whole small files at a worker, as many of the first as one answer takes.
     *
     * @param paths at most {@value FoundEntry#MOST_PATHS}
     * @param readsOn true if the next batch has the files behind these, in the order of their blobs
     * @return answers for the first of the paths, at least one
     * @throws CorruptBlobException when bytes were damaged on the way: another read may help
     */
    public List<BatchAnswer> readBatch(
            String address, String mount, List<FilePath> paths, boolean readsOn, Duration timeout) throws IOException {
        ReadBatchRequest request = ReadBatchRequest.newBuilder()
                .setMount(mount)
                .addAllPaths(paths.stream().map(FilePath::value).toList())
                .setReadsOn(readsOn)
                .setJoined(true)
                .build();
        try {
            ReadBatchReply reply = PeerGrpc.newBlockingStub(channels.to(address))
                    .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .readBatch(request);
            return BatchCodec.answers(address, reply);
        } catch (StatusRuntimeException e) {
            throw failure(address, e);
        }
    }

    private void flush(String address, String mount, Duration timeout) throws IOException {
        // A flush takes as long as its bytes need, so it has no deadline; and keepalive does not watch a connection
        // that was never established. So ask the worker first.
        Optional<String> problem = problem(address, mount, timeout);
        if (problem.isPresent()) {
            throw new UnavailableException(
                    "worker at %s: %s. Start it again or repair the network to it; packing.read.peer.timeout waits longer"
                            .formatted(address, problem.get()));
        }
        try {
            FlushReply unused = PeerGrpc.newBlockingStub(channels.to(address))
                    .flush(FlushRequest.newBuilder().setMount(mount).build());
        } catch (StatusRuntimeException e) {
            throw failure(address, e);
        }
    }

    private static IOException failure(String address, StatusRuntimeException e) {
        return switch (e.getStatus().getCode()) {
            case INTERNAL, INVALID_ARGUMENT, FAILED_PRECONDITION, ABORTED ->
                new IOException(
                        "worker at %s: %s".formatted(address, e.getStatus().getDescription()), e);
            default -> new UnavailableException("worker at %s: %s".formatted(address, e.getStatus()), e);
        };
    }

    @Override
    public void close() {
        channels.close();
    }
}
