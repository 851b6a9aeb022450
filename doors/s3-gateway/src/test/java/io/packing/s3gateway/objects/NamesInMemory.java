// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.FileStatus;
import io.packing.bdt.RareAttributes;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.s3gateway.protocol.S3Exception;
import io.packing.s3gateway.protocol.Utf8Order;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The names of a bucket in memory, as a gateway makes them. */
final class NamesInMemory implements DirectorySource {
    private final FilePath bucket;
    private final KeyPaths paths = new KeyPaths(FilePath.ROOT);
    private final Node root = new Node(true);
    private long requests;

    private static final class Node {
        private final NavigableMap<String, Node> children = new TreeMap<>(Utf8Order.INSTANCE);
        private boolean isDirectory;

        private Node(boolean isDirectory) {
            this.isDirectory = isDirectory;
        }
    }

    NamesInMemory(FilePath bucket) {
        this.bucket = bucket;
    }

    /** Adds an object; a file where it needs a directory moves into it. */
    void add(String key) throws S3Exception {
        String[] names = paths.path(bucket, key)
                .value()
                .substring(bucket.value().length() + 1)
                .split("/", -1);
        Node at = root;
        for (int i = 0; i < names.length; i++) {
            boolean isLast = i == names.length - 1;
            Node next = at.children.get(names[i]);
            if (next == null) {
                next = new Node(!isLast);
                at.children.put(names[i], next);
            } else if (isLast && next.isDirectory) {
                next.children.put(KeyPaths.SELF, new Node(false));
            } else if (!isLast && !next.isDirectory) {
                next.isDirectory = true;
                next.children.put(KeyPaths.SELF, new Node(false));
            }
            at = next;
        }
    }

    /** Returns the number of lookups and listings until now. */
    long requests() {
        return requests;
    }

    private Optional<Node> node(FilePath path) {
        Node at = root;
        if (path.equals(bucket)) {
            return Optional.of(at);
        }
        for (String name : path.value().substring(bucket.value().length() + 1).split("/", -1)) {
            Node next = at.children.get(name);
            if (next == null) {
                return Optional.empty();
            }
            at = next;
        }
        return Optional.of(at);
    }

    private static FileStatus status(FilePath path, Node node) {
        RareAttributes extras =
                new RareAttributes(node.children.containsKey(KeyPaths.SELF) ? 1 : 0, 0, Optional.empty());
        return new FileStatus(
                path,
                new FileVersion(1, 1),
                new FileAttributes(0, 0, "", "", 0644),
                node.isDirectory ? FileStatus.State.DIRECTORY : FileStatus.State.PACKED,
                extras);
    }

    @Override
    public Optional<List<FileStatus>> list(FilePath directory, String after, int limit) {
        requests++;
        return node(directory)
                .filter(node -> node.isDirectory)
                .map(node -> node.children.tailMap(after, false).entrySet().stream()
                        .limit(limit)
                        .map(each -> status(directory.child(each.getKey()), each.getValue()))
                        .toList());
    }

    @Override
    public List<FileStatus> find(List<FilePath> wanted) {
        requests++;
        List<FileStatus> found = new ArrayList<>();
        for (FilePath path : wanted) {
            node(path).ifPresent(node -> found.add(status(path, node)));
        }
        return found;
    }
}
