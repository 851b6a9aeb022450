// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import com.google.protobuf.InvalidProtocolBufferException;
import io.packing.bdt.AppendTarget;
import io.packing.bdt.BdtUser;
import io.packing.bdt.DeniedException;
import io.packing.bdt.FencedException;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.rpc.ExtraChangeMessage;
import io.packing.bdt.rpc.ExtrasCodec;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.UncreatablePathException;
import io.packing.sorted.DiskFullException;
import io.packing.store.StoreUnavailableException;
import io.packing.worker.api.BufferFullException;
import io.packing.worker.api.ChangedFileException;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.CreateRefusal;
import io.packing.worker.api.LeavingException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** The translation of creations, results and refusals to messages and back. */
final class WriteCodec {
    private WriteCodec() {}

    static Creation creation(FilePath path, CreateOptions options) {
        Creation.Builder creation = Creation.newBuilder()
                .setOwner(options.owner())
                .setGroup(options.group())
                .setMode(options.mode())
                .setCreateParents(options.createParents())
                .setOverwrite(options.overwrite());
        options.mtimeMillis().ifPresent(creation::setMtimeMillis);
        if (options.uploaded()) {
            creation.setUploaded(true);
        }
        if (options.extra().isNone()) {
            creation.setPath(path.value());
        } else {
            creation.setAttributed(Attributed.newBuilder()
                    .setPath(path.value())
                    .setExtra(ExtrasCodec.encode(options.extra()).toByteString()));
        }
        options.append()
                .ifPresent(append -> creation.setAppend(Appended.newBuilder()
                        .setPath(append.path().value())
                        .setFileId(append.version().id())
                        .setGeneration(append.version().generation())
                        .setOffset(append.offset())));
        return creation.build();
    }

    static FilePath path(Creation creation) {
        return new FilePath(creation.hasAttributed() ? creation.getAttributed().getPath() : creation.getPath());
    }

    /** @param caller owner of the file, if the server identifies callers */
    static CreateOptions options(Creation creation, Optional<BdtUser> caller) {
        CreateOptions asked = new CreateOptions(
                creation.getOwner(),
                creation.getGroup(),
                creation.getMode(),
                creation.getCreateParents(),
                creation.getOverwrite(),
                creation.hasMtimeMillis() ? OptionalLong.of(creation.getMtimeMillis()) : OptionalLong.empty(),
                Optional.empty(),
                false,
                creation.hasAttributed() ? extra(creation.getAttributed()) : RareAttributeChange.NONE,
                Optional.empty());
        CreateOptions appended = creation.hasAppend() ? asked.appending(append(creation.getAppend())) : asked;
        CreateOptions created = creation.getUploaded() ? appended.asUploaded() : appended;
        return caller.map(created::by).orElse(created);
    }

    private static AppendTarget append(Appended message) {
        return new AppendTarget(
                new FilePath(message.getPath()),
                new FileVersion(message.getFileId(), message.getGeneration()),
                message.getOffset());
    }

    private static RareAttributeChange extra(Attributed message) {
        try {
            return ExtrasCodec.decode(ExtraChangeMessage.parseFrom(message.getExtra()));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(
                    "the extended attributes of a file cannot be read: " + e.getMessage(), e);
        }
    }

    static WriteResult stored(FileVersion version) {
        return WriteResult.newBuilder()
                .setFileId(version.id())
                .setGeneration(version.generation())
                .build();
    }

    static WriteResult failed(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return WriteResult.newBuilder()
                .setAnswer(answer(cause))
                .setMessage(StatusMapping.shortened(message == null ? cause.toString() : message))
                .build();
    }

    private static WriteResult.Answer answer(Throwable cause) {
        if (cause instanceof FileAlreadyExistsException exists) {
            return exists.getReason() == null ? WriteResult.Answer.EXISTS : WriteResult.Answer.IS_A_DIRECTORY;
        } else if (cause instanceof DeniedException) {
            return WriteResult.Answer.DENIED;
        } else if (cause instanceof QuotaExceededException exceeded) {
            return WriteResult.Answer.valueOf(exceeded.reason().name());
        } else if (cause instanceof NoSuchFileException) {
            return WriteResult.Answer.NO_PARENT;
        } else if (cause instanceof NotDirectoryException) {
            return WriteResult.Answer.NOT_A_DIRECTORY;
        } else if (cause instanceof UnavailableException || cause instanceof StoreUnavailableException) {
            return WriteResult.Answer.UNAVAILABLE;
        } else if (cause instanceof ChangedFileException) {
            return WriteResult.Answer.CHANGED;
        } else if (cause instanceof LeavingException) {
            return WriteResult.Answer.LEAVING;
        } else if (cause instanceof FencedException) {
            return WriteResult.Answer.FENCED;
        } else if (cause instanceof BufferFullException || DiskFullException.isCauseOf(cause)) {
            return WriteResult.Answer.FULL;
        } else if (cause instanceof IllegalArgumentException || cause instanceof UncreatablePathException) {
            return WriteResult.Answer.INVALID;
        }
        return WriteResult.Answer.FAILED;
    }

    static boolean isStored(WriteResult result) {
        return result.getAnswer() == WriteResult.Answer.STORED;
    }

    /** Returns whether the worker leaves and has not stored the file, so that another one has to. */
    static boolean isLeaving(WriteResult result) {
        return result.getAnswer() == WriteResult.Answer.LEAVING;
    }

    static FileVersion version(WriteResult result) {
        return new FileVersion(result.getFileId(), result.getGeneration());
    }

    /** Returns the exception for a result that is not a stored file. */
    static Exception exception(FilePath path, String address, WriteResult result) {
        String message = "worker at %s: %s".formatted(address, result.getMessage());
        return switch (result.getAnswer()) {
            case EXISTS -> CreateRefusal.of(path, Outcome.EXISTS);
            case IS_A_DIRECTORY -> CreateRefusal.of(path, Outcome.IS_A_DIRECTORY);
            case NO_PARENT -> CreateRefusal.of(path, Outcome.NO_PARENT);
            case NOT_A_DIRECTORY -> CreateRefusal.of(path, Outcome.NOT_A_DIRECTORY);
            case CHANGED -> CreateRefusal.of(path, Outcome.CHANGED);
            case DENIED -> new DeniedException(result.getMessage());
            case NAMES_QUOTA, BYTES_QUOTA ->
                new QuotaExceededException(Outcome.valueOf(result.getAnswer().name()), result.getMessage());
            case UNAVAILABLE -> new UnavailableException(message);
            case FENCED -> new FencedException(message);
            case LEAVING -> new LeavingException(message);
            case FULL -> new BufferFullException(message);
            case INVALID -> new IllegalArgumentException(message);
            default -> new IOException(message);
        };
    }
}
