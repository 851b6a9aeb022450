// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import com.google.common.hash.HashCode;
import com.google.protobuf.ByteString;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.RareAttributes;
import io.packing.bdt.WorkerInfo;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The translation between the protocol's messages and values. A wrong message makes it throw an {@link
 * IllegalArgumentException}.
 */
public final class BdtCodec {
    private BdtCodec() {}

    public static Version version(FileVersion version) {
        return Version.newBuilder()
                .setId(version.id())
                .setGeneration(version.generation())
                .build();
    }

    public static FileVersion version(Version message) {
        return new FileVersion(message.getId(), message.getGeneration());
    }

    public static Attributes attributes(FileAttributes attributes) {
        return Attributes.newBuilder()
                .setLength(attributes.length())
                .setMtimeMillis(attributes.mtimeMillis())
                .setOwner(attributes.owner())
                .setGroup(attributes.group())
                .setMode(attributes.mode())
                .build();
    }

    public static FileAttributes attributes(Attributes m) {
        return new FileAttributes(m.getLength(), m.getMtimeMillis(), m.getOwner(), m.getGroup(), m.getMode());
    }

    public static OutcomeCode outcome(Outcome outcome) {
        return OutcomeCode.valueOf(outcome.name());
    }

    public static Outcome outcome(OutcomeCode code) {
        if (code == OutcomeCode.UNRECOGNIZED) {
            throw new IllegalArgumentException("unknown outcome: the peer speaks a newer protocol");
        }
        return Outcome.valueOf(code.name());
    }

    public static OutcomeReply outcomeReply(Outcome outcome) {
        return OutcomeReply.newBuilder().setOutcome(outcome(outcome)).build();
    }

    /** Encodes a status; in a listing the path field carries the entry's name only. */
    public static Status status(FileStatus status, String path) {
        Status.Builder message = Status.newBuilder()
                .setPath(path)
                .setVersion(version(status.version()))
                .setAttributes(attributes(status.attributes()))
                .setState(Status.State.valueOf(status.state().name()))
                .setInherited(status.isInherited())
                .setClone(status.cloneId());
        if (!status.extras().equals(RareAttributes.NONE)) {
            message.setExtras(ExtrasCodec.encode(status.extras()));
        }
        return message.build();
    }

    public static FileStatus status(Status message, FilePath path) {
        if (message.getState() == Status.State.UNRECOGNIZED) {
            throw new IllegalArgumentException("unknown file state: the peer speaks a newer protocol");
        }
        return new FileStatus(
                path,
                version(message.getVersion()),
                attributes(message.getAttributes()),
                FileStatus.State.valueOf(message.getState().name()),
                message.hasExtras() ? ExtrasCodec.decode(message.getExtras()) : RareAttributes.NONE,
                message.getInherited(),
                message.getClone());
    }

    public static StatReply statReply(Optional<FileStatus> status) {
        StatReply.Builder reply = StatReply.newBuilder();
        status.ifPresent(s -> reply.setStatus(status(s, s.path().value())));
        return reply.build();
    }

    public static Optional<FileStatus> stat(StatReply reply) {
        return reply.hasStatus()
                ? Optional.of(
                        status(reply.getStatus(), new FilePath(reply.getStatus().getPath())))
                : Optional.empty();
    }

    public static LocateReply locateReply(Optional<LocatedFile> located) {
        return located.map(BdtCodec::located).orElse(LocateReply.getDefaultInstance());
    }

    private static LocateReply located(LocatedFile located) {
        return located(located, located.status().path().value());
    }

    /** Encodes a located file; in a listing the path field carries the entry's name only. */
    static LocateReply located(LocatedFile located, String path) {
        LocateReply.Builder reply = LocateReply.newBuilder();
        reply.setStatus(status(located.status(), path));
        located.extended().ifPresent(values -> ExtrasCodec.add(values, reply));
        Placement placement = located.placement();
        if (placement instanceof Placement.Buffered buffered) {
            reply.setWorker(buffered.worker()).setAddress(buffered.address());
        } else if (placement instanceof Placement.Lost lost) {
            reply.setWorker(lost.worker());
        } else if (placement instanceof Placement.Packed packed) {
            BlobTable table = new BlobTable();
            packed.extents().forEach(extent -> reply.addExtents(table.encode(extent)));
            reply.addAllBlobs(table.names());
        } else if (placement instanceof Placement.Withheld) {
            reply.setWithheld(true);
        } else if (placement instanceof Placement.Mapped mapped) {
            Map<FileVersion, Integer> numbers = new LinkedHashMap<>();
            for (Placement.Piece piece : mapped.pieces()) {
                int number = numbers.computeIfAbsent(piece.content().status().version(), version -> {
                    reply.addContents(located(piece.content()));
                    return numbers.size();
                });
                reply.addPieces(PieceMessage.newBuilder()
                        .setOffset(piece.offset())
                        .setLength(piece.length())
                        .setContent(number)
                        .setContentOffset(piece.contentOffset()));
            }
        }
        return reply.build();
    }

    public static Optional<LocatedFile> locate(LocateReply reply) {
        if (!reply.hasStatus()) {
            return Optional.empty();
        }
        return Optional.of(locate(reply, new FilePath(reply.getStatus().getPath())));
    }

    static LocatedFile locate(LocateReply reply, FilePath path) {
        FileStatus status = status(reply.getStatus(), path);
        Placement placement = switch (status.state()) {
            case BUFFERED -> new Placement.Buffered(reply.getWorker(), reply.getAddress());
            case LOST -> new Placement.Lost(reply.getWorker());
            case PACKED ->
                reply.getWithheld()
                        ? new Placement.Withheld()
                        : new Placement.Packed(extents(reply.getExtentsList(), blobs(reply.getBlobsList())));
            case MAPPED -> new Placement.Mapped(pieces(reply));
            case DIRECTORY -> throw new IllegalArgumentException(status.path() + " is a directory");
        };
        LocatedFile file = new LocatedFile(status, placement);
        return reply.getExtendedCount() == 0 ? file : file.with(ExtrasCodec.values(reply.getExtendedMap()));
    }

    private static List<Placement.Piece> pieces(LocateReply reply) {
        List<LocatedFile> contents = reply.getContentsList().stream()
                .map(content ->
                        locate(content).orElseThrow(() -> new IllegalArgumentException("a content without a status")))
                .toList();
        List<Placement.Piece> pieces = new ArrayList<>(reply.getPiecesCount());
        for (PieceMessage m : reply.getPiecesList()) {
            if (m.getContent() < 0 || m.getContent() >= contents.size()) {
                throw new IllegalArgumentException(
                        "piece names content %d of %d".formatted(m.getContent(), contents.size()));
            }
            pieces.add(new Placement.Piece(
                    m.getOffset(), m.getLength(), contents.get(m.getContent()), m.getContentOffset()));
        }
        return pieces;
    }

    public static ByteString hash(HashCode hash) {
        return ByteString.copyFrom(hash.asBytes());
    }

    /**
     * Returns the hash in a message.
     *
     * @throws IllegalArgumentException when it is empty
     */
    public static HashCode hash(ByteString bytes) {
        return HashCode.fromBytes(bytes.toByteArray());
    }

    public static HeartbeatRequest heartbeat(Session session, Heartbeat heartbeat) {
        HeartbeatRequest.Builder request = HeartbeatRequest.newBuilder()
                .setSession(session)
                .setBufferedFiles(heartbeat.bufferedFiles())
                .setBufferedBytes(heartbeat.bufferedBytes())
                .setActivity(ActivityCodec.encode(heartbeat.activity()))
                .setNewest(heartbeat.newest())
                .setHomes(heartbeat.homes())
                .setHomesSinceMicros(heartbeat.homesSinceMicros())
                .setPresence(
                        switch (heartbeat.presence()) {
                            case STAYS -> HeartbeatRequest.Presence.STAYS;
                            case LEAVES -> HeartbeatRequest.Presence.LEAVES;
                            case LEFT -> HeartbeatRequest.Presence.LEFT;
                        });
        if (!heartbeat.blobs().isEmpty() || !heartbeat.files().isEmpty()) {
            request.setCommits(CommitBatchCodec.encode(heartbeat.blobs(), heartbeat.files()));
        }
        heartbeat.copy().ifPresent(report -> request.setCopy(CopyCodec.encode(report)));
        heartbeat.followed().ifPresent(request::setFollowed);
        return request.build();
    }

    public static Heartbeat heartbeat(HeartbeatRequest request) {
        CommitBatch commits = request.getCommits();
        return new Heartbeat(
                request.getBufferedFiles(),
                request.getBufferedBytes(),
                CommitBatchCodec.blobs(commits),
                CommitBatchCodec.files(commits),
                ActivityCodec.decode(request.getActivity()),
                switch (request.getPresence()) {
                    case LEAVES -> Heartbeat.Presence.LEAVES;
                    case LEFT -> Heartbeat.Presence.LEFT;
                    default -> Heartbeat.Presence.STAYS;
                },
                request.getNewest(),
                request.getHomes(),
                request.getHomesSinceMicros(),
                request.hasCopy() ? Optional.of(CopyCodec.report(request.getCopy())) : Optional.empty(),
                request.hasFollowed() ? OptionalLong.of(request.getFollowed()) : OptionalLong.empty());
    }

    public static HeartbeatReplyMessage heartbeatReply(HeartbeatReply reply) {
        HeartbeatReplyMessage.Builder message = HeartbeatReplyMessage.newBuilder()
                .setLeaseMillis(reply.lease().toMillis())
                .setSealNow(reply.sealNow())
                .setLeave(reply.leave())
                .addAllForget(reply.drop())
                .addAllDeleted(reply.deleted())
                .setPosition(reply.position())
                .setJournalled(reply.journalled())
                .setHomes(reply.homes())
                .setLastForget(reply.lastDrop());
        reply.copy().ifPresent(order -> message.setCopy(CopyCodec.encode(order)));
        return message.build();
    }

    public static HeartbeatReply heartbeatReply(HeartbeatReplyMessage m) {
        return new HeartbeatReply(
                Duration.ofMillis(m.getLeaseMillis()),
                m.getSealNow(),
                m.getLeave(),
                m.getForgetList(),
                m.getDeletedList(),
                m.getPosition(),
                m.getJournalled(),
                m.getHomes(),
                m.hasCopy() ? Optional.of(CopyCodec.order(m.getCopy())) : Optional.empty(),
                m.getLastForget());
    }

    public static Worker worker(WorkerInfo w) {
        return Worker.newBuilder()
                .setWorker(w.worker())
                .setAddress(w.address())
                .setEpoch(w.sessionEpoch())
                .setBufferedFiles(w.bufferedFiles())
                .setBufferedBytes(w.bufferedBytes())
                .setActivity(ActivityCodec.encode(w.activity()))
                .setLeaving(w.leaving())
                .build();
    }

    public static WorkerInfo worker(Worker m) {
        return new WorkerInfo(
                m.getWorker(),
                m.getAddress(),
                m.getEpoch(),
                m.getBufferedFiles(),
                m.getBufferedBytes(),
                ActivityCodec.decode(m.getActivity()),
                m.getLeaving());
    }

    private static List<BlobName> blobs(List<String> names) {
        return names.stream().map(BlobName::parse).toList();
    }

    private static List<BlobExtent> extents(List<ExtentMessage> messages, List<BlobName> blobs) {
        List<BlobExtent> extents = new ArrayList<>(messages.size());
        for (ExtentMessage m : messages) {
            if (m.getBlob() < 0 || m.getBlob() >= blobs.size()) {
                throw new IllegalArgumentException("extent names blob %d of %d".formatted(m.getBlob(), blobs.size()));
            }
            extents.add(new BlobExtent(
                    blobs.get(m.getBlob()),
                    new Extent(
                            m.getFileOffset(),
                            m.getLength(),
                            m.getBlobOffset(),
                            m.getStoredLength(),
                            Codec.of(m.getCodec()),
                            m.getCrc32C())));
        }
        return extents;
    }

    /** A table that numbers blob names within one message, so that each travels once. */
    private static final class BlobTable {
        private final Map<BlobName, Integer> numbers = new LinkedHashMap<>();

        ExtentMessage encode(BlobExtent located) {
            int number = numbers.computeIfAbsent(located.blob(), name -> numbers.size());
            Extent e = located.extent();
            return ExtentMessage.newBuilder()
                    .setBlob(number)
                    .setFileOffset(e.fileOffset())
                    .setLength(e.length())
                    .setBlobOffset(e.blobOffset())
                    .setStoredLength(e.storedLength())
                    .setCodec(e.codec().number())
                    .setCrc32C(e.crc32c())
                    .build();
        }

        List<String> names() {
            return numbers.keySet().stream().map(BlobName::toString).toList();
        }
    }
}
