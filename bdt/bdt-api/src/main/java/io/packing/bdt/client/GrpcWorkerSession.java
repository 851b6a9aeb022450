// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import com.google.common.collect.Lists;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.CopyOrder;
import io.packing.bdt.FileIds;
import io.packing.bdt.FingerprintPage;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.NotedContent;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WantedContent;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.rpc.BdtCodec;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.FingerprintsRequest;
import io.packing.bdt.rpc.HeartbeatReplyMessage;
import io.packing.bdt.rpc.KnownCodec;
import io.packing.bdt.rpc.KnownReply;
import io.packing.bdt.rpc.KnownRequest;
import io.packing.bdt.rpc.LeaseIdsReply;
import io.packing.bdt.rpc.LeaseIdsRequest;
import io.packing.bdt.rpc.NoteCodec;
import io.packing.bdt.rpc.NoteReply;
import io.packing.bdt.rpc.ReclaimMessage;
import io.packing.bdt.rpc.ReclaimReply;
import io.packing.bdt.rpc.ReclaimRequest;
import io.packing.bdt.rpc.ReclaimedReply;
import io.packing.bdt.rpc.Session;
import io.packing.bdt.rpc.SessionRequest;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** A worker's session at a remote master. It splits reports that are too large for one message. */
final class GrpcWorkerSession implements WorkerSession {
    private static final int RECLAIMS_PER_CALL = 2_000;
    private static final int HASHES_PER_NOTE = 1_000;
    /** The bytes of a call, since paths may be long. */
    private static final int BYTES_PER_CALL = 1 << 20;

    private static final int FILES_PER_HEARTBEAT = 4_000;
    private static final int EXTENTS_PER_HEARTBEAT = 20_000;
    private static final int BLOBS_PER_HEARTBEAT = 4_000;

    private final MountCalls mount;
    private final String worker;
    private final long sessionEpoch;
    private final FileIds ids;
    private final ClaimStream claims;
    /** The newest position in an answer of the master. */
    private final AtomicLong newest;

    GrpcWorkerSession(MountCalls mount, ClientTimer timer, String worker, long epoch) {
        this.mount = mount;
        this.worker = worker;
        this.sessionEpoch = epoch;
        this.newest = new AtomicLong(epoch);
        this.ids = new FileIds(this::lease);
        this.claims = new ClaimStream(mount, timer, this::session);
    }

    @Override
    public long sessionEpoch() {
        return sessionEpoch;
    }

    @Override
    public long newestPosition() {
        return newest.get();
    }

    @Override
    public long newFileId() throws IOException {
        return ids.next();
    }

    @Override
    public CompletableFuture<ClaimResult> claim(Claim claim) {
        return claims.claim(claim).thenApply(this::answered);
    }

    private ClaimResult answered(ClaimResult result) {
        if (result instanceof ClaimResult.Granted granted) {
            FileVersion last = granted.appended().orElse(granted.version());
            long unused = newest.accumulateAndGet(last.generation(), Math::max);
        }
        return result;
    }

    @Override
    public void together(Runnable several) {
        claims.together(several);
    }

    @Override
    public List<Boolean> known(List<WantedContent> contents) throws IOException {
        List<Boolean> known = new ArrayList<>(contents.size());
        for (List<WantedContent> part : Lists.partition(contents, BdtLimits.HASHES)) {
            KnownReply reply = mount.call("look contents up", (stub, id) -> {
                KnownRequest.Builder request = KnownRequest.newBuilder().setSession(session(id));
                KnownCodec.add(part, request);
                return stub.known(request.build());
            });
            if (reply.getKnownCount() != part.size()) {
                throw new IOException(
                        "the master answered %d of %d hashes".formatted(reply.getKnownCount(), part.size()));
            }
            known.addAll(reply.getKnownList());
        }
        return known;
    }

    @Override
    public void note(List<NotedContent> contents) throws IOException {
        for (List<NotedContent> part : Lists.partition(contents, HASHES_PER_NOTE)) {
            NoteReply unused = mount.call(
                    "note hashes",
                    (stub, id) -> stub.note(
                            NoteCodec.request(part).setSession(session(id)).build()));
        }
    }

    @Override
    public FingerprintPage fingerprints(long list, long after) throws IOException {
        return NoteCodec.page(mount.call(
                "read fingerprints",
                (stub, id) -> stub.fingerprints(FingerprintsRequest.newBuilder()
                        .setSession(session(id))
                        .setList(list)
                        .setAfter(after)
                        .build())));
    }

    @Override
    public List<Optional<FileVersion>> reclaim(List<Reclaim> buffered) throws IOException {
        List<Optional<FileVersion>> answers = new ArrayList<>(buffered.size());
        for (int from = 0; from < buffered.size(); from = answers.size()) {
            List<ReclaimMessage> files = reclaims(buffered.subList(from, buffered.size()));
            ReclaimReply reply = mount.call(
                    "reclaim",
                    (stub, id) -> stub.reclaim(ReclaimRequest.newBuilder()
                            .setSession(session(id))
                            .addAllFiles(files)
                            .build()));
            if (reply.getAnswersCount() != files.size()) {
                throw new IOException(
                        "the master answered %d of %d reclaims".formatted(reply.getAnswersCount(), files.size()));
            }
            for (ReclaimReply.Answer answer : reply.getAnswersList()) {
                answers.add(
                        answer.hasVersion() ? Optional.of(BdtCodec.version(answer.getVersion())) : Optional.empty());
            }
        }
        return answers;
    }

    /** Returns as many of the first files as fit into a message. */
    private static List<ReclaimMessage> reclaims(List<Reclaim> buffered) {
        List<ReclaimMessage> files = new ArrayList<>();
        int bytes = 0;
        for (Reclaim each : buffered) {
            if (files.size() == RECLAIMS_PER_CALL || bytes > BYTES_PER_CALL) {
                break;
            }
            ReclaimMessage message = message(each);
            files.add(message);
            bytes += message.getSerializedSize();
        }
        return files;
    }

    @Override
    public void reclaimed() throws IOException {
        ReclaimedReply unused = mount.call(
                "reclaimed",
                (stub, id) -> stub.reclaimed(
                        SessionRequest.newBuilder().setSession(session(id)).build()));
    }

    @Override
    public HeartbeatReply heartbeat(Heartbeat heartbeat) throws IOException {
        List<Heartbeat> parts = split(heartbeat);
        HeartbeatReply last = send(parts.get(0));
        // A master gives other orders once, and an older one these, too: perhaps in the answer to an earlier part.
        Set<Long> forget = new LinkedHashSet<>(last.drop());
        Set<Long> deleted = new LinkedHashSet<>(last.deleted());
        boolean sealNow = last.sealNow();
        boolean leave = last.leave();
        List<HeartbeatReply> replies = new ArrayList<>(List.of(last));
        for (Heartbeat part : parts.subList(1, parts.size())) {
            last = send(part);
            forget.addAll(last.drop());
            deleted.addAll(last.deleted());
            sealNow |= last.sealNow();
            leave |= last.leave();
            replies.add(last);
        }
        return new HeartbeatReply(
                last.lease(),
                sealNow,
                leave,
                List.copyOf(forget),
                List.copyOf(deleted),
                last.position(),
                last.journalled(),
                last.homes(),
                copy(replies),
                last.lastDrop());
    }

    /** Returns the order of the last reply, with its sources, which an earlier one may have. */
    private static Optional<CopyOrder> copy(List<HeartbeatReply> replies) {
        Optional<CopyOrder> last = replies.get(replies.size() - 1).copy();
        return replies.stream()
                .flatMap(reply -> reply.copy().stream())
                .filter(order -> last.isPresent()
                        && order.number() == last.get().number()
                        && !order.sources().isEmpty())
                .findFirst()
                .or(() -> last);
    }

    @Override
    public void close() {
        claims.close();
    }

    private HeartbeatReply send(Heartbeat heartbeat) throws IOException {
        HeartbeatReplyMessage reply =
                mount.call("heartbeat", (stub, id) -> stub.heartbeat(BdtCodec.heartbeat(session(id), heartbeat)));
        return BdtCodec.heartbeatReply(reply);
    }

    /**
     * Splits a report into parts that fit into a message each. The blobs come last: a blob counts as settled when its
     * files are in.
     */
    private List<Heartbeat> split(Heartbeat whole) {
        List<Heartbeat> parts = new ArrayList<>();
        List<CommittedFile> files = new ArrayList<>();
        int extents = 0;
        for (CommittedFile file : whole.files()) {
            if (files.size() == FILES_PER_HEARTBEAT || (!files.isEmpty() && extents > EXTENTS_PER_HEARTBEAT)) {
                parts.add(part(whole, List.of(), files));
                files = new ArrayList<>();
                extents = 0;
            }
            files.add(file);
            extents += file.extents().size();
        }
        List<PushedBlob> blobs = whole.blobs();
        int first = Math.min(blobs.size(), BLOBS_PER_HEARTBEAT);
        parts.add(part(whole, blobs.subList(0, first), files));
        for (int from = first; from < blobs.size(); from += BLOBS_PER_HEARTBEAT) {
            int to = Math.min(blobs.size(), from + BLOBS_PER_HEARTBEAT);
            parts.add(part(whole, blobs.subList(from, to), List.of()));
        }
        return parts;
    }

    private Heartbeat part(Heartbeat whole, List<PushedBlob> blobs, List<CommittedFile> files) {
        return whole.with(blobs, files).knowing(newest.get());
    }

    private long lease(int count) throws IOException {
        LeaseIdsReply reply = mount.call(
                "lease file ids",
                (stub, id) -> stub.leaseIds(LeaseIdsRequest.newBuilder()
                        .setSession(session(id))
                        .setCount(count)
                        .build()));
        return reply.getFirst();
    }

    private Session session(String mountId) {
        return Session.newBuilder()
                .setMount(mountId)
                .setWorker(worker)
                .setEpoch(sessionEpoch)
                .build();
    }

    private static ReclaimMessage message(Reclaim reclaim) {
        return ReclaimMessage.newBuilder()
                .setVersion(BdtCodec.version(reclaim.version()))
                .setPath(reclaim.path().value())
                .setAttributes(BdtCodec.attributes(reclaim.attributes()))
                .setDeferred(reclaim.deferred())
                .setClaimedAfter(reclaim.claimedAfter())
                .build();
    }
}
