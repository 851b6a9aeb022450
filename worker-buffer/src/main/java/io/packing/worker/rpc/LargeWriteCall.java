// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The server's side of one large file. Confined to the call: gRPC calls it on one thread at a time. */
final class LargeWriteCall implements StreamObserver<LargePart> {
    private static final int PARTS_TAKEN = 2;

    private final PeerServer.Served served;
    private final ServerCallStreamObserver<WriteResult> reply;
    private @Nullable PackingOutput output;
    private boolean ended;

    private LargeWriteCall(PeerServer.Served served, ServerCallStreamObserver<WriteResult> reply) {
        this.served = served;
        this.reply = reply;
    }

    static StreamObserver<LargePart> start(PeerServer.Served served, ServerCallStreamObserver<WriteResult> reply) {
        LargeWriteCall call = new LargeWriteCall(served, reply);
        // With a handler, gRPC drops an answer to a client that is gone; without one it throws.
        reply.setOnCancelHandler(call::abort);
        reply.disableAutoRequest();
        reply.request(PARTS_TAKEN);
        return call;
    }

    @Override
    public void onNext(LargePart part) {
        if (ended) {
            return;
        }
        try {
            if (part.hasStart()) {
                start(part.getStart());
            } else {
                part.getData().writeTo(started());
            }
            reply.request(1);
        } catch (IOException | RuntimeException | Error e) {
            abort();
            answer(WriteCodec.failed(e));
        }
    }

    private void start(LargeStart start) throws IOException {
        if (output != null) {
            throw new IllegalArgumentException("the file is started already");
        }
        output = served.create(
                start.getMount(),
                WriteCodec.path(start.getCreation()),
                WriteCodec.options(start.getCreation(), PeerCaller.user()));
    }

    private PackingOutput started() {
        if (output == null) {
            throw new IllegalArgumentException("bytes before the start of a file");
        }
        return output;
    }

    @Override
    public void onCompleted() {
        if (ended) {
            return;
        }
        ended = true;
        try {
            PackingOutput file = started();
            file.close();
            answer(WriteCodec.stored(file.version()));
        } catch (IOException | RuntimeException | Error e) {
            answer(WriteCodec.failed(e));
        }
    }

    @Override
    public void onError(Throwable cause) {
        abort();
    }

    private void answer(WriteResult result) {
        reply.onNext(result);
        reply.onCompleted();
    }

    private void abort() {
        if (!ended) {
            ended = true;
            if (output != null) {
                output.abort();
            }
        }
    }
}
