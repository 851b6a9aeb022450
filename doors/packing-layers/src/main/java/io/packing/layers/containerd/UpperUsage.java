// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The space that the own files of a snapshot take.
 *
 * @param size bytes of files
 * @param inodes directories and files; names of one file count once
 */
public record UpperUsage(long size, long inodes) {
    static final UpperUsage NONE = new UpperUsage(0, 0);

    public UpperUsage {
        if (size < 0 || inodes < 0) {
            throw new IllegalArgumentException("%d bytes, %d inodes".formatted(size, inodes));
        }
    }

    /** Adds up a directory. A container may change it meanwhile. */
    static UpperUsage of(Path directory) throws IOException {
        Sum sum = new Sum();
        Path unused = Files.walkFileTree(directory, sum);
        return new UpperUsage(sum.size, sum.inodes);
    }

    private static final class Sum extends SimpleFileVisitor<Path> {
        private final Set<Object> linked = new HashSet<>();
        private long size;
        private long inodes;

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes has) {
            inodes++;
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes has) throws IOException {
            try {
                Map<String, Object> more = Files.readAttributes(file, "unix:nlink,ino", LinkOption.NOFOLLOW_LINKS);
                if (((Integer) Objects.requireNonNull(more.get("nlink"))) > 1
                        && !linked.add(Objects.requireNonNull(more.get("ino")))) {
                    return FileVisitResult.CONTINUE;
                }
            } catch (NoSuchFileException e) {
                return FileVisitResult.CONTINUE;
            }
            inodes++;
            size += has.isRegularFile() ? has.size() : 0;
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }
    }
}
