// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.ClaimResult;
import io.packing.bdt.DeniedException;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaExceededException;
import io.packing.blob.FilePath;
import io.packing.blob.UncreatablePathException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** A factory of exceptions for the reasons for which the namespace refuses a new file. */
public final class CreateRefusal {
    private CreateRefusal() {}

    /** Returns the exception for a refused claim. */
    public static IOException of(FilePath path, ClaimResult.Refused refused) {
        if (refused.reason() == Outcome.DENIED) {
            return new DeniedException(refused.message());
        }
        return QuotaExceededException.isReason(refused.reason())
                ? new QuotaExceededException(refused.reason(), refused.message())
                : of(path, refused.reason());
    }

    public static IOException of(FilePath path, Outcome reason) {
        return switch (reason) {
            case EXISTS -> new FileAlreadyExistsException(path.value());
            case IS_A_DIRECTORY -> new FileAlreadyExistsException(path.value(), null, "it is a directory");
            case NO_PARENT, NOT_FOUND -> new NoSuchFileException(path.value(), null, "the parent does not exist");
            case NOT_A_DIRECTORY -> new NotDirectoryException(path.value());
            case INVALID ->
                new UncreatablePathException(
                        path.whyNotCreatable().orElse("%s: nothing can be created there".formatted(path)));
            case CHANGED -> new ChangedFileException(path);
            default -> new IOException("cannot create %s: %s".formatted(path, reason));
        };
    }
}
