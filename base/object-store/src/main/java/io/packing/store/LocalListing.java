// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A page of a listing of a directory tree, in key order; it enters only directories that can have keys of the page. */
final class LocalListing {
    private final String prefix;
    private final String startAfter;
    private final int limit;
    private final List<ObjectInfo> page = new ArrayList<>();

    private LocalListing(String prefix, String startAfter, int limit) {
        this.prefix = prefix;
        this.startAfter = startAfter;
        this.limit = limit;
    }

    static List<ObjectInfo> list(Path root, String prefix, String startAfter, int limit) throws IOException {
        LocalListing listing = new LocalListing(prefix, startAfter, limit);
        listing.visit(root, "");
        return listing.page;
    }

    /** Returns the object's length and version; empty when the path is no object. */
    static Optional<ObjectInfo> info(String key, Path file) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (!attributes.isRegularFile()) {
                return Optional.empty();
            }
            String version = "%x-%x-%s"
                    .formatted(
                            attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                            attributes.size(),
                            attributes.fileKey());
            return Optional.of(new ObjectInfo(
                    key,
                    attributes.size(),
                    version,
                    attributes.lastModifiedTime().toInstant()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (FileSystemException e) {
            if (isNotADirectory(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Returns whether a part of the path before its last is a file: then the object does not exist either. */
    static boolean isNotADirectory(FileSystemException e) {
        return e instanceof NotDirectoryException
                || String.valueOf(e.getReason()).toLowerCase(Locale.ROOT).contains("not a directory");
    }

    /** An entry; directories sort with their slash, so that a walk in this order is in key order. */
    private record Entry(String key, Path path, boolean directory) {}

    private void visit(Path directory, String parent) throws IOException {
        for (Entry entry : entries(directory, parent)) {
            if (page.size() == limit) {
                return;
            }
            if (entry.directory) {
                if (mayHoldMatches(entry.key)) {
                    visit(entry.path, entry.key);
                }
            } else if (entry.key.startsWith(prefix) && ObjectKeys.UTF8_ORDER.compare(entry.key, startAfter) > 0) {
                info(entry.key, entry.path).ifPresent(page::add);
            }
        }
    }

    private boolean mayHoldMatches(String directoryKey) {
        boolean onPrefix = directoryKey.startsWith(prefix) || prefix.startsWith(directoryKey);
        boolean notBefore =
                startAfter.startsWith(directoryKey) || ObjectKeys.UTF8_ORDER.compare(directoryKey, startAfter) > 0;
        return onPrefix && notBefore;
    }

    private static List<Entry> entries(Path directory, String parent) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            for (Path path : stream) {
                String name = String.valueOf(path.getFileName());
                if (!name.startsWith(".")) {
                    boolean isDirectory = Files.isDirectory(path);
                    entries.add(new Entry(
                            parent + LocalPaths.unescape(name) + (isDirectory ? "/" : ""), path, isDirectory));
                }
            }
        } catch (NoSuchFileException e) {
            return List.of();
        }
        entries.sort(Comparator.comparing(Entry::key, ObjectKeys.UTF8_ORDER));
        return entries;
    }
}
