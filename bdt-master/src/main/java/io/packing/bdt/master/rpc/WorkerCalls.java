// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.stub.StreamObserver;
import io.packing.bdt.DeniedException;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WantedContent;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.rpc.BdtCodec;
import io.packing.bdt.rpc.FingerprintsReply;
import io.packing.bdt.rpc.FingerprintsRequest;
import io.packing.bdt.rpc.HeartbeatReplyMessage;
import io.packing.bdt.rpc.HeartbeatRequest;
import io.packing.bdt.rpc.KnownCodec;
import io.packing.bdt.rpc.KnownReply;
import io.packing.bdt.rpc.KnownRequest;
import io.packing.bdt.rpc.LeaseIdsReply;
import io.packing.bdt.rpc.LeaseIdsRequest;
import io.packing.bdt.rpc.NoteCodec;
import io.packing.bdt.rpc.NoteReply;
import io.packing.bdt.rpc.NoteRequest;
import io.packing.bdt.rpc.ReclaimReply;
import io.packing.bdt.rpc.ReclaimRequest;
import io.packing.bdt.rpc.ReclaimedReply;
import io.packing.bdt.rpc.RegisterReply;
import io.packing.bdt.rpc.RegisterRequest;
import io.packing.bdt.rpc.Session;
import io.packing.bdt.rpc.SessionRequest;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The workers' calls on the tables of mounts, each as itself. Translates only. */
final class WorkerCalls {
    private final ServedMounts mounts;
    private final Principals principals;

    WorkerCalls(ServedMounts mounts, Principals principals) {
        this.mounts = mounts;
        this.principals = principals;
    }

    void register(RegisterRequest r, StreamObserver<RegisterReply> to) {
        Answers.answerLater(to, () -> {
            principals.checkWorker(r.getWorker());
            WorkerRegistration registration = new WorkerRegistration(
                    r.getWorker(), r.getAddress(), r.getBuffer(), !r.getWait(), r.getPreviousEpoch());
            return table(r.getMount()).register(registration).handle(WorkerCalls::registerReply);
        });
    }

    void leaseIds(LeaseIdsRequest r, StreamObserver<LeaseIdsReply> to) {
        Session session = r.getSession();
        Answers.answerLater(
                to,
                () -> table(session.getMount())
                        .leaseIds(id(session), r.getCount())
                        .thenApply(first -> LeaseIdsReply.newBuilder()
                                .setFirst(first)
                                .setCount(r.getCount())
                                .build()));
    }

    void known(KnownRequest request, StreamObserver<KnownReply> to) {
        Answers.answer(to, () -> {
            List<WantedContent> contents = KnownCodec.contents(request);
            return KnownReply.newBuilder()
                    .addAllKnown(table(request.getSession().getMount())
                            .known(
                                    id(request.getSession()),
                                    contents,
                                    principals.claimants(contents.stream().map(WantedContent::user))))
                    .build();
        });
    }

    void note(NoteRequest r, StreamObserver<NoteReply> to) {
        Session session = r.getSession();
        Answers.answerLater(
                to,
                () -> table(session.getMount())
                        .contents()
                        .note(id(session), NoteCodec.contents(r))
                        .thenApply(done -> NoteReply.getDefaultInstance()));
    }

    void fingerprints(FingerprintsRequest r, StreamObserver<FingerprintsReply> to) {
        Answers.answer(
                to,
                () -> NoteCodec.reply(table(r.getSession().getMount())
                        .contents()
                        .fingerprints(id(r.getSession()), r.getList(), r.getAfter())));
    }

    void reclaim(ReclaimRequest r, StreamObserver<ReclaimReply> to) {
        Session session = r.getSession();
        Answers.answerLater(to, () -> {
            List<Reclaim> files = r.getFilesList().stream()
                    .map(f -> new Reclaim(
                            BdtCodec.version(f.getVersion()),
                            new FilePath(f.getPath()),
                            BdtCodec.attributes(f.getAttributes()),
                            f.getDeferred(),
                            f.getClaimedAfter()))
                    .toList();
            return table(session.getMount()).reclaim(id(session), files).thenApply(WorkerCalls::reclaimReply);
        });
    }

    void reclaimed(SessionRequest r, StreamObserver<ReclaimedReply> to) {
        Session session = r.getSession();
        Answers.answerLater(
                to,
                () -> table(session.getMount())
                        .reclaimed(id(session))
                        .thenApply(done -> ReclaimedReply.getDefaultInstance()));
    }

    void heartbeat(HeartbeatRequest r, StreamObserver<HeartbeatReplyMessage> to) {
        Session session = r.getSession();
        Answers.answerLater(to, () -> {
            ServedMount mount = mounts.mount(session.getMount());
            SessionId of = id(session);
            Heartbeat heartbeat = BdtCodec.heartbeat(r);
            mount.evacuation().admit(of.worker(), heartbeat);
            return mount.table()
                    .heartbeat(of, heartbeat)
                    .thenApply(mount.evacuation()::tell)
                    .thenApply(reply -> {
                        // Of a session that the table knows.
                        mount.copies().admit(of.worker(), heartbeat);
                        return mount.copies().tell(of.worker(), reply);
                    })
                    .thenApply(BdtCodec::heartbeatReply);
        });
    }

    private SessionId id(Session session) throws DeniedException {
        principals.checkWorker(session.getWorker());
        return new SessionId(session.getWorker(), session.getEpoch());
    }

    private Table table(String mount) throws IOException {
        return mounts.mount(mount).table();
    }

    private static RegisterReply registerReply(@Nullable SessionId session, @Nullable Throwable failure) {
        // A dependent future wraps the failure of the first one.
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof WorkerInUseException live) {
            return RegisterReply.newBuilder()
                    .setLiveAddress(live.address())
                    .setLeaseLeftMillis(live.leaseLeft().toMillis())
                    .setPresumedLive(live.isPresumed())
                    .build();
        }
        if (session == null) {
            throw new CompletionException(failure);
        }
        return RegisterReply.newBuilder().setEpoch(session.sessionEpoch()).build();
    }

    private static ReclaimReply reclaimReply(List<Optional<FileVersion>> versions) {
        ReclaimReply.Builder reply = ReclaimReply.newBuilder();
        for (Optional<FileVersion> version : versions) {
            ReclaimReply.Answer.Builder answer = ReclaimReply.Answer.newBuilder();
            version.ifPresent(v -> answer.setVersion(BdtCodec.version(v)));
            reply.addAnswers(answer);
        }
        return reply.build();
    }
}
