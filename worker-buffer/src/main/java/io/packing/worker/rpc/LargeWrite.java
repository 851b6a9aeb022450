// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import com.google.protobuf.ByteString;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The upload of one file of any size to a worker. For one writing thread; the answer arrives on another. */
public final class LargeWrite {
    private static final int CHUNK_BYTES = 1 << 20;

    private final String address;
    private final FilePath path;
    private @Nullable ClientCallStreamObserver<LargePart> parts;
    private @Nullable WriteResult answer;
    private @Nullable Throwable failure;

    private LargeWrite(String address, FilePath path) {
        this.address = address;
        this.path = path;
    }

    static LargeWrite start(PeerGrpc.PeerStub peer, String address, String mount, FilePath path, CreateOptions options)
            throws IOException {
        LargeWrite write = new LargeWrite(address, path);
        // Use the root context: a call that the thread serves would cancel this one at its end.
        Context.ROOT.run(() -> {
            StreamObserver<LargePart> unused = peer.writeLarge(write.new Answer());
        });
        write.send(LargePart.newBuilder()
                .setStart(LargeStart.newBuilder().setMount(mount).setCreation(WriteCodec.creation(path, options)))
                .build());
        return write;
    }

    /** Sends bytes; waits while the worker takes no more. */
    public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            send(LargePart.newBuilder()
                    .setData(ByteString.copyFrom(bytes, Math.min(CHUNK_BYTES, bytes.remaining())))
                    .build());
        }
    }

    /** Completes the file. */
    public FileVersion finish() throws IOException {
        stream().onCompleted();
        @Nullable WriteResult result;
        synchronized (this) {
            await(() -> false);
            result = answer;
        }
        if (result == null) {
            throw lost();
        }
        if (WriteCodec.isStored(result)) {
            return WriteCodec.version(result);
        }
        throw refusal(result);
    }

    /** Gives the file up. */
    public void abort() {
        stream().cancel("given up", null);
    }

    private void send(LargePart part) throws IOException {
        ClientCallStreamObserver<LargePart> to = stream();
        synchronized (this) {
            await(to::isReady);
            if (answer != null) {
                throw refusal(answer);
            } else if (failure != null) {
                throw lost();
            }
        }
        to.onNext(part);
    }

    private ClientCallStreamObserver<LargePart> stream() {
        synchronized (this) {
            return Objects.requireNonNull(parts, "the call is started");
        }
    }

    private IOException refusal(WriteResult result) {
        Exception refusal = WriteCodec.exception(path, address, result);
        return refusal instanceof IOException io ? io : new IOException(refusal.getMessage(), refusal);
    }

    private synchronized UnavailableException lost() {
        Throwable cause = Objects.requireNonNull(failure, "the call failed");
        return new UnavailableException(
                "worker at %s: whether %s was stored is unknown (%s)".formatted(address, path, cause.getMessage()),
                cause);
    }

    /** Waits until the condition holds, or the call has ended. */
    private synchronized void await(BooleanSupplier condition) throws IOException {
        try {
            while (answer == null && failure == null && !condition.getAsBoolean()) {
                wait();
            }
        } catch (InterruptedException e) {
            abort();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while writing " + path);
        }
    }

    private final class Answer implements ClientResponseObserver<LargePart, WriteResult> {
        @Override
        public void beforeStart(ClientCallStreamObserver<LargePart> stream) {
            synchronized (LargeWrite.this) {
                parts = stream;
            }
            stream.setOnReadyHandler(() -> {
                synchronized (LargeWrite.this) {
                    LargeWrite.this.notifyAll();
                }
            });
        }

        @Override
        public void onNext(WriteResult result) {
            synchronized (LargeWrite.this) {
                answer = result;
                LargeWrite.this.notifyAll();
            }
        }

        @Override
        public void onError(Throwable cause) {
            synchronized (LargeWrite.this) {
                failure = cause;
                LargeWrite.this.notifyAll();
            }
        }

        @Override
        public void onCompleted() {
            onError(Status.INTERNAL.withDescription("the worker ended the call").asException());
        }
    }
}
