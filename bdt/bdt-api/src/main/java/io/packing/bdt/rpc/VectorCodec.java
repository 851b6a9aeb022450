// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The translation of vectors and their results to messages and back. A wrong message makes it throw an {@link
 * IllegalArgumentException}.
 */
public final class VectorCodec {
    private VectorCodec() {}

    public static VectorRequest encode(String mount, long request, OperationVector vector) {
        VectorRequest.Builder message =
                VectorRequest.newBuilder().setMount(mount).setRequest(request);
        vector.preconditions().forEach(precondition -> message.addPreconditions(encode(precondition)));
        vector.operations().forEach(operation -> message.addOperations(encode(operation)));
        return message.build();
    }

    public static OperationVector decode(VectorRequest request) {
        return new OperationVector(
                request.getPreconditionsList().stream().map(VectorCodec::decode).toList(),
                request.getOperationsList().stream().map(VectorCodec::decode).toList());
    }

    public static VectorReply encode(VectorResult result) {
        VectorReply.Builder reply = VectorReply.newBuilder();
        if (result instanceof VectorResult.Applied applied) {
            reply.setPosition(applied.position()).setRowBytes(applied.rowBytes());
        } else if (result instanceof VectorResult.Refused refused) {
            reply.setFailed(refused.index())
                    .setPrecondition(refused.kind() == VectorResult.Kind.PRECONDITION)
                    .setReason(BdtCodec.outcome(refused.reason()));
        }
        return reply.build();
    }

    public static VectorResult decode(VectorReply reply) {
        return reply.getPosition() > 0
                ? new VectorResult.Applied(reply.getPosition(), reply.getRowBytes())
                : new VectorResult.Refused(
                        reply.getPrecondition() ? VectorResult.Kind.PRECONDITION : VectorResult.Kind.OPERATION,
                        reply.getFailed(),
                        BdtCodec.outcome(reply.getReason()));
    }

    private static PreconditionMessage encode(Precondition precondition) {
        PreconditionMessage.Builder message =
                PreconditionMessage.newBuilder().setPath(precondition.path().value());
        if (precondition instanceof Precondition.SameVersion same) {
            message.setVersion(BdtCodec.version(same.version()));
        }
        return message.build();
    }

    private static Precondition decode(PreconditionMessage m) {
        FilePath path = new FilePath(m.getPath());
        return m.hasVersion()
                ? new Precondition.SameVersion(path, BdtCodec.version(m.getVersion()))
                : new Precondition.Absent(path);
    }

    private static OperationMessage encode(Operation operation) {
        OperationMessage.Builder message = OperationMessage.newBuilder();
        if (operation instanceof Operation.CloneRange o) {
            message.setCloneRange(toRange(o.source(), o.destination(), o.at()));
        } else if (operation instanceof Operation.MoveRange o) {
            message.setMoveRange(toRange(o.source(), o.destination(), o.at()));
        } else if (operation instanceof Operation.DeleteRange o) {
            message.setDeleteRange(range(o.range()));
        } else if (operation instanceof Operation.Truncate o) {
            message.setTruncate(OperationMessage.Truncate.newBuilder()
                    .setPath(o.path().value())
                    .setLength(o.length()));
        } else if (operation instanceof Operation.CloneFile o) {
            message.setCloneFile(OperationMessage.CloneFile.newBuilder()
                    .setSource(o.source().value())
                    .setDestination(o.destination().value())
                    .setOverwrite(o.overwrite())
                    .setChange(change(o.change())));
        } else if (operation instanceof Operation.CloneDirectory o) {
            message.setCloneDirectory(OperationMessage.CloneDirectory.newBuilder()
                    .setSource(o.source().value())
                    .setDestination(o.destination().value()));
        } else if (operation instanceof Operation.Rename o) {
            message.setRename(OperationMessage.Rename.newBuilder()
                    .setFrom(o.from().value())
                    .setTo(o.to().value())
                    .setOverwrite(o.overwrite()));
        } else if (operation instanceof Operation.Link o) {
            message.setLink(OperationMessage.Link.newBuilder()
                    .setFile(o.file().value())
                    .setName(o.name().value()));
        } else if (operation instanceof Operation.MergeDirectory o) {
            message.setMergeDirectory(OperationMessage.MergeDirectory.newBuilder()
                    .setFrom(o.from().value())
                    .setTo(o.to().value()));
        } else if (operation instanceof Operation.MergeEachDirectory o) {
            OperationMessage.MergeEachDirectory.Builder merge = OperationMessage.MergeEachDirectory.newBuilder()
                    .setFrom(o.from().value())
                    .setTo(o.to().value());
            o.except().ifPresent(merge::setExcept);
            message.setMergeEachDirectory(merge);
        } else if (operation instanceof Operation.CreateFile o) {
            message.setCreateFile(OperationMessage.CreateFile.newBuilder()
                    .setPath(o.path().value())
                    .setChange(change(o.change()))
                    .setOverwrite(o.overwrite()));
        } else if (operation instanceof Operation.Delete o) {
            message.setDelete(OperationMessage.Delete.newBuilder()
                    .setPath(o.path().value())
                    .setRecursive(o.recursive()));
        } else if (operation instanceof Operation.MakeDirectory o) {
            message.setMakeDirectory(OperationMessage.MakeDirectory.newBuilder()
                    .setPath(o.path().value())
                    .setOwner(o.attributes().owner())
                    .setGroup(o.attributes().group())
                    .setMode(o.attributes().mode())
                    .setCreateParents(o.createParents()));
        } else if (operation instanceof Operation.SetAttributes o) {
            message.setSetAttributes(OperationMessage.SetAttributes.newBuilder()
                    .setPath(o.path().value())
                    .setChange(change(o.change())));
        } else if (operation instanceof Operation.TakeSnapshot o) {
            message.setTakeSnapshot(snapshot(o.directory(), o.name()));
        } else if (operation instanceof Operation.RenameSnapshot o) {
            message.setRenameSnapshot(OperationMessage.RenameSnapshot.newBuilder()
                    .setDirectory(o.directory().value())
                    .setFrom(o.from())
                    .setTo(o.to()));
        } else if (operation instanceof Operation.DropSnapshot o) {
            message.setDropSnapshot(snapshot(o.directory(), o.name()));
        }
        return message.build();
    }

    private static OperationMessage.Snapshot snapshot(FilePath directory, String name) {
        return OperationMessage.Snapshot.newBuilder()
                .setDirectory(directory.value())
                .setName(name)
                .build();
    }

    private static Operation decode(OperationMessage m) {
        return switch (m.getKindCase()) {
            case CLONE_RANGE ->
                new Operation.CloneRange(
                        range(m.getCloneRange().getSource()),
                        new FilePath(m.getCloneRange().getDestination()),
                        m.getCloneRange().getAt());
            case MOVE_RANGE ->
                new Operation.MoveRange(
                        range(m.getMoveRange().getSource()),
                        new FilePath(m.getMoveRange().getDestination()),
                        m.getMoveRange().getAt());
            case DELETE_RANGE -> new Operation.DeleteRange(range(m.getDeleteRange()));
            case TRUNCATE ->
                new Operation.Truncate(
                        new FilePath(m.getTruncate().getPath()), m.getTruncate().getLength());
            case CLONE_FILE ->
                new Operation.CloneFile(
                        new FilePath(m.getCloneFile().getSource()),
                        new FilePath(m.getCloneFile().getDestination()),
                        m.getCloneFile().getOverwrite(),
                        change(m.getCloneFile().getChange()));
            case CLONE_DIRECTORY ->
                new Operation.CloneDirectory(
                        new FilePath(m.getCloneDirectory().getSource()),
                        new FilePath(m.getCloneDirectory().getDestination()));
            case RENAME ->
                new Operation.Rename(
                        new FilePath(m.getRename().getFrom()),
                        new FilePath(m.getRename().getTo()),
                        m.getRename().getOverwrite());
            case LINK ->
                new Operation.Link(
                        new FilePath(m.getLink().getFile()),
                        new FilePath(m.getLink().getName()));
            case MERGE_DIRECTORY ->
                new Operation.MergeDirectory(
                        new FilePath(m.getMergeDirectory().getFrom()),
                        new FilePath(m.getMergeDirectory().getTo()));
            case MERGE_EACH_DIRECTORY ->
                new Operation.MergeEachDirectory(
                        new FilePath(m.getMergeEachDirectory().getFrom()),
                        m.getMergeEachDirectory().hasExcept()
                                ? Optional.of(m.getMergeEachDirectory().getExcept())
                                : Optional.empty(),
                        new FilePath(m.getMergeEachDirectory().getTo()));
            case CREATE_FILE ->
                new Operation.CreateFile(
                        new FilePath(m.getCreateFile().getPath()),
                        change(m.getCreateFile().getChange()),
                        m.getCreateFile().getOverwrite());
            case DELETE ->
                new Operation.Delete(
                        new FilePath(m.getDelete().getPath()), m.getDelete().getRecursive());
            case MAKE_DIRECTORY ->
                new Operation.MakeDirectory(
                        new FilePath(m.getMakeDirectory().getPath()),
                        new DirectoryAttributes(
                                m.getMakeDirectory().getOwner(),
                                m.getMakeDirectory().getGroup(),
                                m.getMakeDirectory().getMode()),
                        m.getMakeDirectory().getCreateParents());
            case SET_ATTRIBUTES ->
                new Operation.SetAttributes(
                        new FilePath(m.getSetAttributes().getPath()),
                        change(m.getSetAttributes().getChange()));
            case TAKE_SNAPSHOT ->
                new Operation.TakeSnapshot(
                        new FilePath(m.getTakeSnapshot().getDirectory()),
                        m.getTakeSnapshot().getName());
            case RENAME_SNAPSHOT ->
                new Operation.RenameSnapshot(
                        new FilePath(m.getRenameSnapshot().getDirectory()),
                        m.getRenameSnapshot().getFrom(),
                        m.getRenameSnapshot().getTo());
            case DROP_SNAPSHOT ->
                new Operation.DropSnapshot(
                        new FilePath(m.getDropSnapshot().getDirectory()),
                        m.getDropSnapshot().getName());
            case KIND_NOT_SET ->
                throw new IllegalArgumentException("an operation of no known kind: the peer speaks a newer protocol");
        };
    }

    private static OperationMessage.ToRange toRange(ByteRange source, FilePath destination, long at) {
        return OperationMessage.ToRange.newBuilder()
                .setSource(range(source))
                .setDestination(destination.value())
                .setAt(at)
                .build();
    }

    private static RangeMessage range(ByteRange range) {
        return RangeMessage.newBuilder()
                .setPath(range.path().value())
                .setOffset(range.offset())
                .setLength(range.length())
                .build();
    }

    private static ByteRange range(RangeMessage m) {
        return new ByteRange(new FilePath(m.getPath()), m.getOffset(), m.getLength());
    }

    private static AttributeChangeMessage change(AttributeChange change) {
        AttributeChangeMessage.Builder message = AttributeChangeMessage.newBuilder();
        change.owner().ifPresent(message::setOwner);
        change.group().ifPresent(message::setGroup);
        change.mode().ifPresent(message::setMode);
        change.mtimeMillis().ifPresent(message::setMtimeMillis);
        if (!change.extra().isNone()) {
            message.setExtra(ExtrasCodec.encode(change.extra()));
        }
        return message.build();
    }

    private static AttributeChange change(AttributeChangeMessage m) {
        return new AttributeChange(
                m.hasOwner() ? Optional.of(m.getOwner()) : Optional.empty(),
                m.hasGroup() ? Optional.of(m.getGroup()) : Optional.empty(),
                m.hasMode() ? OptionalInt.of(m.getMode()) : OptionalInt.empty(),
                m.hasMtimeMillis() ? OptionalLong.of(m.getMtimeMillis()) : OptionalLong.empty(),
                m.hasExtra() ? ExtrasCodec.decode(m.getExtra()) : RareAttributeChange.NONE);
    }
}
