// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.DeniedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaExceededException;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.security.AccessControlException;

/** Translates refusals of a mount into the exceptions that Hadoop's callers catch. */
final class Refusals {
    private Refusals() {}

    /** A request that changes something. */
    interface Change<T> {
        T apply() throws IOException;
    }

    /** Makes a change; a refusal by exception, not by outcome, fails with its words and the path. */
    static <T> T named(Path path, Change<T> change) throws IOException {
        try {
            return change.apply();
        } catch (IllegalArgumentException e) {
            PathIOException named = new PathIOException(path.toString(), "nothing was changed: " + e.getMessage());
            named.initCause(e);
            throw named;
        }
    }

    /** Returns Hadoop's exception for a missing right. */
    static IOException of(DeniedException denied) {
        AccessControlException named = new AccessControlException(denied.getMessage());
        named.initCause(denied);
        return named;
    }

    /** Translates a refusal that the master sends as an exception of its own. */
    static IOException of(IOException refusal) {
        if (refusal instanceof DeniedException denied) {
            return of(denied);
        }
        return refusal instanceof QuotaExceededException exceeded ? of(exceeded) : refusal;
    }

    /** Returns the exception for too many names or bytes: HDFS's, where its client is on the class path. */
    static IOException of(QuotaExceededException exceeded) {
        IOException named;
        try {
            named = HdfsQuotas.of(exceeded);
        } catch (NoClassDefFoundError e) {
            named = new ClusterStorageCapacityExceededException(exceeded.getMessage());
        }
        named.initCause(exceeded);
        return named;
    }

    /**
     * Returns Hadoop's exception for a failure of creating, writing or closing a file; failures without one stay as
     * they are.
     */
    static IOException of(Path path, IOException failure) {
        IOException named;
        if (failure instanceof java.nio.file.FileAlreadyExistsException exists) {
            String reason = exists.getReason();
            named = new FileAlreadyExistsException(path + (reason == null ? " exists" : " exists: " + reason));
        } else if (failure instanceof NoSuchFileException missing) {
            String reason = missing.getReason();
            named = new FileNotFoundException(path + (reason == null ? " not found" : ": " + reason));
        } else if (failure instanceof DeniedException denied) {
            return of(denied);
        } else if (failure instanceof QuotaExceededException exceeded) {
            return of(exceeded);
        } else if (failure instanceof NotDirectoryException) {
            named = new ParentNotDirectoryException("above " + path + " is a file");
        } else {
            return failure;
        }
        named.initCause(failure);
        return named;
    }

    /**
     * Refuses a new file that has no place.
     *
     * @param nearest the entry at its path, or nearest above it
     * @param overwrite whether a present file is replaced
     * @param parents whether missing directories above are made
     */
    static void checkCreatable(Path file, FilePath path, FileStatus nearest, boolean overwrite, boolean parents)
            throws IOException {
        if (nearest.path().equals(path)) {
            if (!overwrite || nearest.isDirectory()) {
                throw new FileAlreadyExistsException(file + (nearest.isDirectory() ? " is a directory" : " exists"));
            }
        } else if (!nearest.isDirectory()) {
            throw new ParentNotDirectoryException(nearest.path() + " is a file");
        } else if (!parents && !path.parent().equals(Optional.of(nearest.path()))) {
            throw new FileNotFoundException("the directory of %s not found".formatted(file));
        }
    }

    /**
     * Returns Hadoop's exception for a mutation of the namespace that was not done.
     *
     * @param what the operation on the path that failed, in the passive
     */
    static IOException of(Path path, Outcome outcome, String what) {
        return switch (outcome) {
            case NOT_FOUND, NO_PARENT -> new FileNotFoundException(path + " not found");
            case NOT_A_DIRECTORY -> new ParentNotDirectoryException("above " + path + " is a file");
            case EXISTS, IS_A_DIRECTORY -> new FileAlreadyExistsException(path + " exists");
            case NOT_EMPTY -> new PathIsNotEmptyDirectoryException(path.toString());
            default -> new PathIOException(path.toString(), "cannot be %s: %s".formatted(what, outcome));
        };
    }
}
