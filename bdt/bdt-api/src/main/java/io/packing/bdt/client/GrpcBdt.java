// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import io.packing.bdt.AccessMode;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.BdtUser;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.MountHomes;
import io.packing.bdt.OneByOne;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.OwnNames;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.ReadableBytes;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.rpc.AccessReply;
import io.packing.bdt.rpc.AccessRequest;
import io.packing.bdt.rpc.BdtCodec;
import io.packing.bdt.rpc.CheckpointReply;
import io.packing.bdt.rpc.DeleteRequest;
import io.packing.bdt.rpc.ExtrasCodec;
import io.packing.bdt.rpc.ListReply;
import io.packing.bdt.rpc.ListRequest;
import io.packing.bdt.rpc.LocateRequest;
import io.packing.bdt.rpc.MkdirRequest;
import io.packing.bdt.rpc.MountRequest;
import io.packing.bdt.rpc.PathRequest;
import io.packing.bdt.rpc.QuotaCodec;
import io.packing.bdt.rpc.ReadableCodec;
import io.packing.bdt.rpc.RegisterReply;
import io.packing.bdt.rpc.RegisterRequest;
import io.packing.bdt.rpc.RenameRequest;
import io.packing.bdt.rpc.ScanCodec;
import io.packing.bdt.rpc.SealNowReply;
import io.packing.bdt.rpc.SetAttributesRequest;
import io.packing.bdt.rpc.StatReply;
import io.packing.bdt.rpc.StatisticsCodec;
import io.packing.bdt.rpc.StatisticsReply;
import io.packing.bdt.rpc.VectorCodec;
import io.packing.bdt.rpc.VectorReply;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One mount's table at a remote master. It only translates. */
final class GrpcBdt implements Bdt {
    private final MountCalls mount;
    private final ClientTimer timer;

    GrpcBdt(MountCalls mount, ClientTimer timer) {
        this.mount = mount;
        this.timer = timer;
    }

    @Override
    public String encryptionKey() {
        return mount.encryptionKey();
    }

    @Override
    public Map<String, String> options() {
        return mount.options();
    }

    @Override
    public MountHomes homes(boolean again) throws IOException {
        return mount.homes(again);
    }

    @Override
    public Optional<FileStatus> stat(FilePath path) throws IOException {
        return stat(path, false, false);
    }

    private Optional<FileStatus> stat(FilePath path, boolean nearest, boolean toCreate) throws IOException {
        return BdtCodec.stat(mount.call(
                "stat " + path,
                (stub, id) -> stub.stat(PathRequest.newBuilder()
                        .setMount(id)
                        .setPath(path.value())
                        .setNearest(nearest)
                        .setToCreate(toCreate)
                        .build())));
    }

    @Override
    public Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException {
        StatReply reply = mount.call(
                "extended attributes of " + path,
                (stub, id) -> stub.stat(PathRequest.newBuilder()
                        .setMount(id)
                        .setPath(path.value())
                        .setExtended(true)
                        .build()));
        return reply.hasStatus() ? Optional.of(ExtrasCodec.values(reply.getExtendedMap())) : Optional.empty();
    }

    @Override
    public FileStatus nearest(FilePath path) throws IOException {
        Optional<FileStatus> there = stat(path, true, false);
        // A master of an older version does not look above the path.
        return there.isPresent() ? there.get() : OneByOne.nearest(this, path);
    }

    @Override
    public FileStatus nearestToCreate(FilePath path) throws IOException {
        Optional<FileStatus> there = stat(path, true, true);
        return there.isPresent() ? there.get() : OneByOne.nearest(this, path);
    }

    @Override
    public boolean access(FilePath path, int rights) throws IOException {
        AccessRequest question = AccessRequest.newBuilder()
                .setPath(path.value())
                .setRights(AccessMode.check(rights))
                .build();
        return ask("access " + path, question).getFound();
    }

    @Override
    public Optional<ReadableBytes> readable(FilePath path, FileVersion version, String user, long offset)
            throws IOException {
        AccessReply answer = ask("access " + version, ReadableCodec.question(path, version, user, offset));
        if (answer.getFound() && !answer.hasReadable()) {
            // A master of an older version takes all bytes of a clone's contents for readable, whatever the clone has
            // of them. A version without clones is found by itself, and then its file has all of it.
            answer = ask("access " + version, ReadableCodec.question(FilePath.ROOT, version, user, offset));
            return answer.getFound() ? Optional.of(ReadableBytes.ALL) : Optional.empty();
        }
        return answer.getFound() ? Optional.of(ReadableCodec.readable(answer, offset)) : Optional.empty();
    }

    private AccessReply ask(String what, AccessRequest question) throws IOException {
        return mount.call(
                what,
                (stub, id) -> stub.access(question.toBuilder().setMount(id).build()));
    }

    @Override
    public Optional<LocatedFile> locate(FilePath path) throws IOException {
        return BdtCodec.locate(mount.call(
                "locate " + path,
                (stub, id) -> stub.locate(LocateRequest.newBuilder()
                        .setMount(id)
                        .setPath(path.value())
                        .setExtended(true)
                        .build())));
    }

    @Override
    public Optional<LocatedFile> locate(FileVersion version) throws IOException {
        return locate(version, LocateRequest.newBuilder());
    }

    @Override
    public Optional<LocatedFile> locate(FileVersion version, FilePath openedAs) throws IOException {
        return locate(version, LocateRequest.newBuilder().setOpenedAs(openedAs.value()));
    }

    @Override
    public Optional<LocatedFile> locateForUsers(FileVersion version) throws IOException {
        return locate(version, LocateRequest.newBuilder().setForUsers(true));
    }

    @Override
    public boolean withholdsPlaces() {
        return mount.withholdsPlaces();
    }

    private Optional<LocatedFile> locate(FileVersion version, LocateRequest.Builder request) throws IOException {
        return BdtCodec.locate(mount.call(
                "locate " + version,
                (stub, id) -> stub.locate(request.setMount(id)
                        .setVersion(BdtCodec.version(version))
                        .build())));
    }

    @Override
    public Optional<List<FileStatus>> list(FilePath directory, String startAfter, int limit) throws IOException {
        ListReply reply = mount.call(
                "list " + directory,
                (stub, id) -> stub.list(ListRequest.newBuilder()
                        .setMount(id)
                        .setDirectory(directory.value())
                        .setStartAfter(startAfter)
                        .setLimit(limit)
                        .build()));
        return reply.getFound()
                ? Optional.of(reply.getEntriesList().stream()
                        .map(entry -> BdtCodec.status(entry, directory.child(entry.getPath())))
                        .toList())
                : Optional.empty();
    }

    @Override
    public Optional<ListedPage> listLocated(FilePath directory, String startAfter, int limit) throws IOException {
        ListReply reply = mount.call(
                "list " + directory,
                (stub, id) -> stub.list(ListRequest.newBuilder()
                        .setMount(id)
                        .setDirectory(directory.value())
                        .setStartAfter(startAfter)
                        .setLimit(limit)
                        .setLocated(true)
                        .build()));
        if (reply.getEntriesCount() > 0) {
            // A master of an older version does not locate what it lists.
            return OneByOne.listLocated(this, directory, startAfter, limit);
        }
        return reply.getFound() ? Optional.of(ScanCodec.entries(reply, directory)) : Optional.empty();
    }

    @Override
    public OwnNames ownNames(FilePath clone, FilePath source, FilePath after, int limit) throws IOException {
        return FindCalls.ownNames(mount, clone, source, after, limit);
    }

    @Override
    public List<FoundEntry> find(List<FilePath> paths) throws IOException {
        return FindCalls.find(mount, paths, this);
    }

    @Override
    public Optional<List<FoundEntry>> findForUser(List<FilePath> paths, BdtUser user) throws IOException {
        return FindCalls.findForUser(mount, paths, user);
    }

    @Override
    public ScanPage scan(ScanPart part, String after) throws IOException {
        return ScanCodec.page(mount.call("scan", (stub, id) -> stub.scan(ScanCodec.request(id, part, after))));
    }

    @Override
    public Outcome mkdir(FilePath path, DirectoryAttributes attributes, boolean createParents) throws IOException {
        path.checkCreatable();
        long request = mount.newRequest();
        return BdtCodec.outcome(mount.call(
                        "mkdir " + path,
                        (stub, id) -> stub.mkdir(MkdirRequest.newBuilder()
                                .setMount(id)
                                .setRequest(request)
                                .setPath(path.value())
                                .setOwner(attributes.owner())
                                .setGroup(attributes.group())
                                .setMode(attributes.mode())
                                .setCreateParents(createParents)
                                .build()))
                .getOutcome());
    }

    @Override
    public Outcome delete(FilePath path, boolean recursive) throws IOException {
        long request = mount.newRequest();
        return BdtCodec.outcome(mount.call(
                        "delete " + path,
                        (stub, id) -> stub.delete(DeleteRequest.newBuilder()
                                .setMount(id)
                                .setRequest(request)
                                .setPath(path.value())
                                .setRecursive(recursive)
                                .build()))
                .getOutcome());
    }

    @Override
    public Outcome rename(FilePath from, FilePath to) throws IOException {
        to.checkCreatable();
        long request = mount.newRequest();
        return BdtCodec.outcome(mount.call(
                        "rename " + from,
                        (stub, id) -> stub.rename(RenameRequest.newBuilder()
                                .setMount(id)
                                .setRequest(request)
                                .setFrom(from.value())
                                .setTo(to.value())
                                .build()))
                .getOutcome());
    }

    @Override
    public Outcome setAttributes(FilePath path, AttributeChange change) throws IOException {
        long request = mount.newRequest();
        SetAttributesRequest.Builder message =
                SetAttributesRequest.newBuilder().setRequest(request).setPath(path.value());
        change.owner().ifPresent(message::setOwner);
        change.group().ifPresent(message::setGroup);
        change.mode().ifPresent(message::setMode);
        change.mtimeMillis().ifPresent(message::setMtimeMillis);
        if (!change.extra().isNone()) {
            message.setExtra(ExtrasCodec.encode(change.extra()));
        }
        SetAttributesRequest template = message.build();
        return BdtCodec.outcome(mount.call(
                        "set attributes of " + path,
                        (stub, id) -> stub.setAttributes(
                                template.toBuilder().setMount(id).build()))
                .getOutcome());
    }

    @Override
    public Optional<Quota> quota(FilePath directory) throws IOException {
        return QuotaCodec.quota(mount.call(
                "quota of " + directory,
                (stub, id) -> stub.quota(PathRequest.newBuilder()
                        .setMount(id)
                        .setPath(directory.value())
                        .build())));
    }

    @Override
    public Outcome setQuota(FilePath directory, QuotaChange change) throws IOException {
        long request = mount.newRequest();
        return BdtCodec.outcome(mount.call(
                        "set the quota of " + directory,
                        (stub, id) -> stub.setQuota(QuotaCodec.request(id, request, directory, change)))
                .getOutcome());
    }

    @Override
    public VectorResult apply(OperationVector vector) throws IOException {
        long request = mount.newRequest();
        VectorReply reply = mount.call(
                "apply a vector of %d operations".formatted(vector.operations().size()),
                (stub, id) -> stub.apply(VectorCodec.encode(id, request, vector)));
        return VectorCodec.decode(reply);
    }

    @Override
    public WorkerSession register(WorkerRegistration registration) throws IOException {
        RegisterReply reply = mount.call(
                "register " + registration.worker(),
                (stub, id) -> stub.register(RegisterRequest.newBuilder()
                        .setMount(id)
                        .setWorker(registration.worker())
                        .setAddress(registration.address())
                        .setBuffer(registration.buffer())
                        .setWait(!registration.takesOver())
                        .setPreviousEpoch(registration.previous())
                        .build()));
        if (reply.getEpoch() == 0) {
            throw new WorkerInUseException(
                    registration.worker(),
                    reply.getLiveAddress(),
                    Duration.ofMillis(reply.getLeaseLeftMillis()),
                    reply.getPresumedLive());
        }
        return new GrpcWorkerSession(mount, timer, registration.worker(), reply.getEpoch());
    }

    @Override
    public List<WorkerInfo> workers() throws IOException {
        return mount.call("workers", (stub, id) -> stub.workers(mountRequest(id))).getWorkersList().stream()
                .map(BdtCodec::worker)
                .toList();
    }

    @Override
    public BdtStatistics statistics() throws IOException {
        StatisticsReply reply = mount.call("statistics", (stub, id) -> stub.statistics(mountRequest(id)));
        return StatisticsCodec.statistics(reply);
    }

    @Override
    public void checkpoint() throws IOException {
        CheckpointReply unused = mount.call("checkpoint", (stub, id) -> stub.checkpoint(mountRequest(id)));
    }

    @Override
    public void sealNow() throws IOException {
        SealNowReply unused = mount.call("sealNow", (stub, id) -> stub.sealNow(mountRequest(id)));
    }

    /** The connection belongs to {@link GrpcBdts}. */
    @Override
    public void close() {}

    private static MountRequest mountRequest(String id) {
        return MountRequest.newBuilder().setMount(id).build();
    }
}
