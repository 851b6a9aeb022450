// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls.replay;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.util.Map;
import java.util.Optional;

/** The kernel's names of errors, as far as Java distinguishes them. */
final class ErrorNames {
    private static final Map<String, String> BY_REASON = Map.of(
            "Is a directory", "EISDIR",
            "Not a directory", "ENOTDIR",
            "Invalid argument", "EINVAL",
            "No space left on device", "ENOSPC",
            "Invalid cross-device link", "EXDEV",
            "Too many levels of symbolic links", "ELOOP",
            "File name too long", "ENAMETOOLONG",
            "Directory not empty", "ENOTEMPTY",
            "Bad file descriptor", "EBADF");

    private ErrorNames() {}

    /** Returns the name of an error; empty if unknown. */
    static Optional<String> of(Exception failure) {
        if (failure instanceof NoSuchFileException) {
            return Optional.of("ENOENT");
        }
        if (failure instanceof FileAlreadyExistsException) {
            return Optional.of("EEXIST");
        }
        if (failure instanceof AccessDeniedException) {
            return Optional.of("EACCES");
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return Optional.of("ENOTEMPTY");
        }
        if (failure instanceof NotDirectoryException) {
            return Optional.of("ENOTDIR");
        }
        if (failure instanceof NotLinkException) {
            return Optional.of("EINVAL");
        }
        if (failure instanceof FileSystemLoopException) {
            return Optional.of("ELOOP");
        }
        Optional<String> reason = failure instanceof FileSystemException known
                ? Optional.ofNullable(known.getReason())
                : failure instanceof IOException ? Optional.ofNullable(failure.getMessage()) : Optional.empty();
        return reason.map(BY_REASON::get);
    }
}
