package io.packing.hadoop;

import io.packing.bdt.Outcome;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;

/** What a mount refuses, in the exceptions that Hadoop's callers catch. */
final class Refusals {
    private Refusals() {}

    /** A failure of creating, writing or closing a file; those that Hadoop has no name for stay as they are. */
    static IOException of(Path path, IOException failure) {
        IOException named;
        if (failure instanceof java.nio.file.FileAlreadyExistsException exists) {
            String reason = exists.getReason();
            named = new FileAlreadyExistsException(path + (reason == null ? " exists" : " exists: " + reason));
        } else if (failure instanceof NoSuchFileException missing) {
            String reason = missing.getReason();
            named = new FileNotFoundException(path + (reason == null ? " not found" : ": " + reason));
        } else if (failure instanceof NotDirectoryException) {
            named = new ParentNotDirectoryException("above " + path + " is a file");
        } else {
            return failure;
        }
        named.initCause(failure);
        return named;
    }

    /**
     * A mutation of the namespace that was not done.
     *
     * @param what cannot be done to the path, in the passive
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
