// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix;

import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.VectorResult;
import io.packing.fuse.Errno;
import io.packing.fuse.ErrnoException;
import io.packing.fuse.FuseException;
import io.packing.worker.api.BufferFullException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** The translation of the namespace's answers to error numbers. */
public final class ErrnoMapping {
    private static final String DISK_FULL = "No space left";

    private ErrnoMapping() {}

    /** Throws unless the outcome is done. */
    public static void check(Outcome outcome) throws FuseException {
        if (outcome != Outcome.DONE) {
            throw of(outcome);
        }
    }

    /** Throws unless the vector was applied. */
    public static void check(VectorResult result) throws FuseException {
        if (result instanceof VectorResult.Refused refused) {
            throw of(refused.reason());
        }
    }

    public static FuseException of(Outcome outcome) {
        return new FuseException(
                switch (outcome) {
                    case NOT_FOUND, NO_PARENT -> Errno.ENOENT;
                    case EXISTS -> Errno.EEXIST;
                    case NOT_A_DIRECTORY -> Errno.ENOTDIR;
                    case IS_A_DIRECTORY -> Errno.EISDIR;
                    case NOT_EMPTY -> Errno.ENOTEMPTY;
                    case INVALID -> Errno.EINVAL;
                    case CHANGED, UNKNOWN_CONTENT -> Errno.ESTALE;
                    case UNCOMMITTED -> Errno.EAGAIN;
                    case DENIED -> Errno.EACCES;
                    case NO_ATTRIBUTE -> Errno.ENODATA;
                    case NO_ROOM -> Errno.ENOSPC;
                    case NAMES_QUOTA, BYTES_QUOTA -> Errno.EDQUOT;
                    case DONE -> Errno.EIO;
                },
                outcome.toString());
    }

    /** Returns the master's refusal as the exception that a FUSE session knows. */
    public static IOException known(IOException e) {
        return e instanceof QuotaExceededException
                ? new ErrnoException(Errno.EDQUOT, String.valueOf(e.getMessage()), e)
                : e;
    }

    /** Returns an exception with a more precise number than EIO; throws others on. */
    public static FuseException of(IOException e) throws IOException {
        String message = String.valueOf(e.getMessage());
        if (e instanceof FileAlreadyExistsException) {
            return new FuseException(Errno.EEXIST, message);
        }
        if (e instanceof NoSuchFileException || e instanceof FileNotFoundException) {
            return new FuseException(Errno.ESTALE, message);
        }
        if (e instanceof NotDirectoryException) {
            return new FuseException(Errno.ENOTDIR, message);
        }
        if (e instanceof AccessDeniedException) {
            return new FuseException(Errno.EACCES, message);
        }
        if (known(e) instanceof ErrnoException numbered) {
            return new FuseException(numbered.errno(), message);
        }
        if (e instanceof BufferFullException || message.contains(DISK_FULL)) {
            return new FuseException(Errno.ENOSPC, message);
        }
        throw e;
    }
}
