// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.BindableService;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.MountHomes;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.ReadableBytes;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.read.Extended;
import io.packing.bdt.rpc.AccessReply;
import io.packing.bdt.rpc.AccessRequest;
import io.packing.bdt.rpc.BdtCodec;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.CheckpointReply;
import io.packing.bdt.rpc.ClaimBatch;
import io.packing.bdt.rpc.ClaimBatchReply;
import io.packing.bdt.rpc.DeleteRequest;
import io.packing.bdt.rpc.ExtrasCodec;
import io.packing.bdt.rpc.FindReply;
import io.packing.bdt.rpc.FindRequest;
import io.packing.bdt.rpc.FingerprintsReply;
import io.packing.bdt.rpc.FingerprintsRequest;
import io.packing.bdt.rpc.HeartbeatReplyMessage;
import io.packing.bdt.rpc.HeartbeatRequest;
import io.packing.bdt.rpc.HomesCodec;
import io.packing.bdt.rpc.KnownReply;
import io.packing.bdt.rpc.KnownRequest;
import io.packing.bdt.rpc.LeaseIdsReply;
import io.packing.bdt.rpc.LeaseIdsRequest;
import io.packing.bdt.rpc.ListReply;
import io.packing.bdt.rpc.ListRequest;
import io.packing.bdt.rpc.LocateReply;
import io.packing.bdt.rpc.LocateRequest;
import io.packing.bdt.rpc.MkdirRequest;
import io.packing.bdt.rpc.MountRequest;
import io.packing.bdt.rpc.NoteReply;
import io.packing.bdt.rpc.NoteRequest;
import io.packing.bdt.rpc.OpenReply;
import io.packing.bdt.rpc.OpenRequest;
import io.packing.bdt.rpc.OptionsReply;
import io.packing.bdt.rpc.OutcomeReply;
import io.packing.bdt.rpc.PathRequest;
import io.packing.bdt.rpc.QuotaCodec;
import io.packing.bdt.rpc.QuotaReply;
import io.packing.bdt.rpc.ReadableCodec;
import io.packing.bdt.rpc.ReclaimReply;
import io.packing.bdt.rpc.ReclaimRequest;
import io.packing.bdt.rpc.ReclaimedReply;
import io.packing.bdt.rpc.RegisterReply;
import io.packing.bdt.rpc.RegisterRequest;
import io.packing.bdt.rpc.RenameRequest;
import io.packing.bdt.rpc.ScanCodec;
import io.packing.bdt.rpc.ScanReply;
import io.packing.bdt.rpc.ScanRequest;
import io.packing.bdt.rpc.SealNowReply;
import io.packing.bdt.rpc.SessionRequest;
import io.packing.bdt.rpc.SetAttributesRequest;
import io.packing.bdt.rpc.SetOptionsRequest;
import io.packing.bdt.rpc.SetQuotaRequest;
import io.packing.bdt.rpc.StatReply;
import io.packing.bdt.rpc.StatisticsCodec;
import io.packing.bdt.rpc.StatisticsReply;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.bdt.rpc.VectorCodec;
import io.packing.bdt.rpc.VectorReply;
import io.packing.bdt.rpc.VectorRequest;
import io.packing.bdt.rpc.WorkersReply;
import io.packing.blob.FilePath;
import io.packing.transport.CheckedMessages;
import io.packing.transport.identity.Identity;
import io.packing.transport.identity.Role;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The BDT protocol, served by a master. Translates only, so any gRPC server can carry it. */
public final class BdtService implements BindableService {
    private final ServedMounts mounts;
    private final Principals principals;
    private final List<ServerInterceptor> calls;

    /**
     * Translates for some mounts.
     *
     * @param principals whose rights on files count
     * @param calls see every call, the last one first
     */
    public BdtService(ServedMounts mounts, Principals principals, List<ServerInterceptor> calls) {
        this.mounts = mounts;
        this.principals = principals;
        this.calls = List.copyOf(calls);
    }

    @Override
    public ServerServiceDefinition bindService() {
        return CheckedMessages.around(
                ServerInterceptors.intercept(new Handlers(mounts, principals), calls),
                BdtLimits.LIMITS,
                StatusMapping::toStatus);
    }

    private static final class Handlers extends BdtGrpc.BdtImplBase {
        private final ServedMounts mounts;
        private final Principals principals;
        private final WorkerCalls workers;
        private final PlaceCalls places;

        Handlers(ServedMounts mounts, Principals principals) {
            this.mounts = mounts;
            this.principals = principals;
            this.workers = new WorkerCalls(mounts, principals);
            this.places = new PlaceCalls(mounts, principals);
        }

        @Override
        public void open(OpenRequest request, StreamObserver<OpenReply> to) {
            Answers.answer(to, () -> {
                OpenCall asked = OpenCall.received(
                        request.getOptionsMap(),
                        mayMakeMounts(),
                        request.getAgain(),
                        request.getCreate(),
                        request.getMount());
                OpenCall call = mounts.known().completed(asked, principals.withholdsPlaces());
                ServedMount opened = mounts.open(call);
                MountHomes homes = opened.evacuation().homes();
                return OpenReply.newBuilder()
                        .setHomes(HomesCodec.encode(principals.withholdsPlaces() ? MountHomes.NONE : homes))
                        .putAllStore(asked.namesStore() ? Map.of() : KnownMounts.ofStore(call.options()))
                        .setMount(opened.id())
                        .setEncryptionKey(opened.encryptionKey())
                        .putAllOptions(opened.terms().all())
                        .setWithholdsPlaces(principals.withholdsPlaces())
                        .build();
            });
        }

        /** Callers without an identity are those of a server without TLS, which trusts them. A superuser has all roles. */
        private static boolean mayMakeMounts() {
            return Identity.current().map(caller -> caller.has(Role.DAEMON)).orElse(true);
        }

        @Override
        public void options(MountRequest request, StreamObserver<OptionsReply> to) {
            Answers.answer(to, () -> told(mounts.mount(request.getMount())));
        }

        @Override
        public void setOptions(SetOptionsRequest request, StreamObserver<OptionsReply> to) {
            Answers.answer(to, () -> told(mounts.change(request.getMount(), request.getOptionsMap())));
        }

        private static OptionsReply told(ServedMount mount) {
            return OptionsReply.newBuilder()
                    .setMount(mount.id())
                    .putAllOptions(mount.terms().all())
                    .addAllSet(mount.terms().set().keySet())
                    .build();
        }

        @Override
        public void stat(PathRequest request, StreamObserver<StatReply> to) {
            Answers.answer(to, () -> {
                Table table = table(request.getMount());
                FilePath path = new FilePath(request.getPath());
                if (request.getExtended()) {
                    return extended(table, path);
                }
                if (!request.getNearest()) {
                    return BdtCodec.statReply(table.stat(path));
                }
                return BdtCodec.statReply(
                        Optional.of(request.getToCreate() ? table.nearestToCreate(path) : table.nearest(path)));
            });
        }

        private static StatReply extended(Table table, FilePath path) throws IOException {
            Optional<Extended> there = table.extended(path);
            StatReply.Builder reply = BdtCodec.statReply(there.map(Extended::status)).toBuilder();
            there.ifPresent(found -> ExtrasCodec.add(found.values(), reply));
            return reply.build();
        }

        @Override
        public void access(AccessRequest request, StreamObserver<AccessReply> to) {
            Answers.answer(to, () -> {
                Table table = mounts.mount(request.getMount()).table().as(principals.of(request.getUser()));
                FilePath path = new FilePath(request.getPath());
                return request.hasVersion()
                        ? readable(table, path, request)
                        : found(table.access(path, request.getRights()));
            });
        }

        private static AccessReply found(boolean found) {
            return AccessReply.newBuilder().setFound(found).build();
        }

        private static AccessReply readable(Table table, FilePath path, AccessRequest request) throws IOException {
            OptionalLong from = request.getByRange() ? OptionalLong.of(request.getOffset()) : OptionalLong.empty();
            Optional<ReadableBytes> readable = table.readable(path, BdtCodec.version(request.getVersion()), from);
            AccessReply.Builder reply = found(readable.isPresent()).toBuilder();
            readable.filter(bytes -> from.isPresent())
                    .map(ReadableCodec::message)
                    .ifPresent(reply::setReadable);
            return reply.build();
        }

        @Override
        public void locate(LocateRequest request, StreamObserver<LocateReply> to) {
            places.locate(request, to);
        }

        @Override
        public void list(ListRequest request, StreamObserver<ListReply> to) {
            places.list(request, to);
        }

        @Override
        public void find(FindRequest request, StreamObserver<FindReply> to) {
            places.find(request, to);
        }

        @Override
        public void scan(ScanRequest request, StreamObserver<ScanReply> to) {
            Answers.answer(to, () -> {
                ServedMount mount = mounts.mount(request.getMount());
                return ScanCodec.reply(mount.table()
                        .scan(
                                ScanCodec.part(request),
                                request.getAfter().toString(StandardCharsets.ISO_8859_1),
                                mount.collectionTimes()));
            });
        }

        @Override
        public void mkdir(MkdirRequest r, StreamObserver<OutcomeReply> to) {
            Answers.answerLater(
                    to,
                    () -> table(r.getMount())
                            .mkdir(
                                    r.getRequest(),
                                    new FilePath(r.getPath()),
                                    new DirectoryAttributes(r.getOwner(), r.getGroup(), r.getMode()),
                                    r.getCreateParents())
                            .thenApply(BdtCodec::outcomeReply));
        }

        @Override
        public void delete(DeleteRequest r, StreamObserver<OutcomeReply> to) {
            Answers.answerLater(
                    to,
                    () -> table(r.getMount())
                            .delete(r.getRequest(), new FilePath(r.getPath()), r.getRecursive())
                            .thenApply(BdtCodec::outcomeReply));
        }

        @Override
        public void rename(RenameRequest r, StreamObserver<OutcomeReply> to) {
            Answers.answerLater(
                    to,
                    () -> table(r.getMount())
                            .rename(r.getRequest(), new FilePath(r.getFrom()), new FilePath(r.getTo()))
                            .thenApply(BdtCodec::outcomeReply));
        }

        @Override
        public void setAttributes(SetAttributesRequest r, StreamObserver<OutcomeReply> to) {
            AttributeChange change = new AttributeChange(
                    r.hasOwner() ? Optional.of(r.getOwner()) : Optional.empty(),
                    r.hasGroup() ? Optional.of(r.getGroup()) : Optional.empty(),
                    r.hasMode() ? OptionalInt.of(r.getMode()) : OptionalInt.empty(),
                    r.hasMtimeMillis() ? OptionalLong.of(r.getMtimeMillis()) : OptionalLong.empty(),
                    r.hasExtra() ? ExtrasCodec.decode(r.getExtra()) : RareAttributeChange.NONE);
            Answers.answerLater(
                    to,
                    () -> table(r.getMount())
                            .setAttributes(r.getRequest(), new FilePath(r.getPath()), change)
                            .thenApply(BdtCodec::outcomeReply));
        }

        @Override
        public void quota(PathRequest r, StreamObserver<QuotaReply> to) {
            Answers.answer(to, () -> QuotaCodec.reply(table(r.getMount()).quota(new FilePath(r.getPath()))));
        }

        @Override
        public void setQuota(SetQuotaRequest r, StreamObserver<OutcomeReply> to) {
            Answers.answerLater(
                    to,
                    () -> table(r.getMount())
                            .setQuota(r.getRequest(), new FilePath(r.getPath()), QuotaCodec.change(r))
                            .thenApply(BdtCodec::outcomeReply));
        }

        @Override
        public void apply(VectorRequest r, StreamObserver<VectorReply> to) {
            Answers.answerLater(
                    to,
                    () -> table(r.getMount())
                            .apply(r.getRequest(), VectorCodec.decode(r))
                            .thenApply(VectorCodec::encode));
        }

        @Override
        public void workers(MountRequest request, StreamObserver<WorkersReply> to) {
            Answers.answer(
                    to,
                    () -> WorkersReply.newBuilder()
                            .addAllWorkers(table(request.getMount()).workers().stream()
                                    .map(BdtCodec::worker)
                                    .toList())
                            .build());
        }

        @Override
        public void statistics(MountRequest request, StreamObserver<StatisticsReply> to) {
            Answers.answer(
                    to,
                    () -> StatisticsCodec.statistics(table(request.getMount()).statistics()));
        }

        @Override
        public void checkpoint(MountRequest request, StreamObserver<CheckpointReply> to) {
            Answers.answer(to, () -> {
                mounts.mount(request.getMount()).checkpoint();
                return CheckpointReply.getDefaultInstance();
            });
        }

        @Override
        public void sealNow(MountRequest request, StreamObserver<SealNowReply> to) {
            Answers.answer(to, () -> {
                table(request.getMount()).sealNow();
                return SealNowReply.getDefaultInstance();
            });
        }

        @Override
        public void register(RegisterRequest request, StreamObserver<RegisterReply> to) {
            workers.register(request, to);
        }

        @Override
        public void leaseIds(LeaseIdsRequest request, StreamObserver<LeaseIdsReply> to) {
            workers.leaseIds(request, to);
        }

        @Override
        public void known(KnownRequest request, StreamObserver<KnownReply> to) {
            workers.known(request, to);
        }

        @Override
        public void note(NoteRequest request, StreamObserver<NoteReply> to) {
            workers.note(request, to);
        }

        @Override
        public void fingerprints(FingerprintsRequest request, StreamObserver<FingerprintsReply> to) {
            workers.fingerprints(request, to);
        }

        @Override
        public void reclaim(ReclaimRequest request, StreamObserver<ReclaimReply> to) {
            workers.reclaim(request, to);
        }

        @Override
        public void reclaimed(SessionRequest request, StreamObserver<ReclaimedReply> to) {
            workers.reclaimed(request, to);
        }

        @Override
        public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatReplyMessage> to) {
            workers.heartbeat(request, to);
        }

        @Override
        public StreamObserver<ClaimBatch> claims(StreamObserver<ClaimBatchReply> to) {
            return ClaimReceiver.start(mounts, principals, (ServerCallStreamObserver<ClaimBatchReply>) to);
        }

        private Table table(String mount) throws IOException {
            return mounts.mount(mount).table().as(principals.ofCaller());
        }
    }
}
