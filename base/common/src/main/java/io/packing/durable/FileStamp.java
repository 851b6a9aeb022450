// SPDX-License-Identifier: Apache-2.0
package io.packing.durable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a file of which one changes when a process writes or replaces the file. The time alone does not: a file that
 * was written long ago may be renamed into place.
 *
 * @param file its key in the file system; null: the file system has none
 */
public record FileStamp(
        FileTime modified, long bytes, @Nullable Object file) {
    /** Returns the attributes that a file has now. */
    public static FileStamp of(Path path) throws IOException {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        return new FileStamp(now.lastModifiedTime(), now.size(), now.fileKey());
    }
}
