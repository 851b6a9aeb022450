// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.Claim;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.ClaimBatch;
import io.packing.bdt.rpc.ClaimBatchReply;
import io.packing.bdt.rpc.ClaimCodec;
import io.packing.bdt.rpc.Session;
import io.packing.bdt.rpc.StatusMapping;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One session's stream of claims: each batch is one mutation, answers keep the order. It takes some batches ahead of their
 * answers, and none while the worker does not take its answers. gRPC calls it on one thread at a time; batches complete on another.
 */
final class ClaimReceiver implements StreamObserver<ClaimBatch> {
    private final ServedMounts mounts;
    private final Principals principals;
    private final ServerCallStreamObserver<ClaimBatchReply> to;
    private Session session = Session.getDefaultInstance();
    private CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);
    /** Batches that are not requested, because the worker does not take the answers. */
    private int withheld;

    private ClaimReceiver(ServedMounts mounts, Principals principals, ServerCallStreamObserver<ClaimBatchReply> to) {
        this.mounts = mounts;
        this.principals = principals;
        this.to = to;
    }

    static ClaimReceiver start(
            ServedMounts mounts, Principals principals, ServerCallStreamObserver<ClaimBatchReply> to) {
        ClaimReceiver receiver = new ClaimReceiver(mounts, principals, to);
        to.disableAutoRequest();
        to.setOnReadyHandler(receiver::ready);
        // With a handler, an answer to a worker that is gone is dropped instead of failing.
        to.setOnCancelHandler(() -> {});
        to.request(BdtLimits.CLAIM_BATCHES);
        return receiver;
    }

    @Override
    public void onNext(ClaimBatch batch) {
        if (batch.hasSession()) {
            session = batch.getSession();
        }
        CompletableFuture<ClaimBatchReply> reply;
        try {
            reply = claim(batch);
        } catch (IOException | RuntimeException e) {
            reply = CompletableFuture.failedFuture(e);
        }
        last = last.thenCombine(reply, (before, answer) -> answer).thenApply(this::answer);
        CompletableFuture<Boolean> unused = last.exceptionally(failure -> {
            // Only the first one counts: a batch before this one may have ended the stream.
            to.onError(StatusMapping.toStatus(failure));
            return false;
        });
    }

    private CompletableFuture<ClaimBatchReply> claim(ClaimBatch batch) throws IOException {
        principals.checkWorker(session.getWorker());
        List<Claim> claims =
                batch.getClaimsList().stream().map(ClaimCodec::decode).toList();
        return mounts.mount(session.getMount())
                .table()
                .claim(
                        new SessionId(session.getWorker(), session.getEpoch()),
                        claims,
                        principals.claimants(claims.stream().map(Claim::user)))
                .thenApply(results -> ClaimBatchReply.newBuilder()
                        .addAllAnswers(results.stream().map(ClaimCodec::answer).toList())
                        .build());
    }

    private boolean answer(ClaimBatchReply reply) {
        to.onNext(reply);
        synchronized (this) {
            withheld++;
        }
        ready();
        return true;
    }

    private void ready() {
        int more = 0;
        synchronized (this) {
            if (to.isReady()) {
                more = withheld;
                withheld = 0;
            }
        }
        if (more > 0) {
            to.request(more);
        }
    }

    @Override
    public void onError(Throwable cause) {
        // The worker went away; it sends its unanswered claims again.
    }

    @Override
    public void onCompleted() {
        CompletableFuture<Void> unused = last.thenAccept(done -> to.onCompleted());
    }
}
