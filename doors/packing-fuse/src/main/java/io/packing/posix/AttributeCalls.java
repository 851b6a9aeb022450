package io.packing.posix;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.AttributeUpdate;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.Mode;
import io.packing.fuse.NodeAttributes;
import io.packing.fuse.Space;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;

/** Calls on the attributes of nodes. */
final class AttributeCalls {
    private static final int BLOCK = 4096;
    private static final int LONGEST_NAME = 255;
    /** Object stores have no end; this is what is always free. */
    private static final long FREE_BYTES = 1L << 50;

    private static final long FREE_FILES = 1L << 40;

    private final OpenMount open;
    private final Publisher publisher;
    private final FileCalls files;

    AttributeCalls(OpenMount open, Publisher publisher, FileCalls files) {
        this.open = open;
        this.publisher = publisher;
        this.files = files;
    }

    NodeAttributes attributes(Node node) throws FuseException, IOException {
        return files.locked(node, () -> {
            // What is only here, or has no name, nobody else knows better.
            if (!node.unlinked && !node.isDirty()) {
                FileStatus unused = publisher.present(node, open.nodes.path(node));
            }
            if (node.unlinked && node.version.isEmpty() && node.kept.isPresent()) {
                LocatedFile unused = publisher.located(node);
            }
            return open.nodeAttributes(node);
        });
    }

    NodeAttributes set(Node node, AttributeUpdate update) throws FuseException, IOException {
        return files.locked(node, () -> {
            if (update.size().isPresent()) {
                resize(node, update.size().getAsLong());
            }
            AttributeChange change = change(update);
            boolean inTable = !node.unlinked && !node.isPending();
            if (!change.equals(AttributeChange.NONE)) {
                if (inTable) {
                    FilePath path = open.nodes.path(node);
                    checkChangeable(path);
                    Failures.check(open.bdt().setAttributes(path, change));
                }
                node.attributes = changed(node.attributes, change);
                if (node.draft != null) {
                    node.describeAttributes(open.journal);
                }
                if (change.mtimeMillis().isPresent()) {
                    node.entriesChanged = Optional.empty();
                }
            }
            update.accessed().ifPresent(time -> node.accessed = Optional.of(time(time)));
            node.changed = Optional.of(open.now());
            return open.nodeAttributes(node);
        });
    }

    private static void checkChangeable(FilePath path) throws FuseException {
        if (path.isPast()) {
            throw new FuseException(Errno.EROFS);
        }
    }

    private void resize(Node node, long size) throws FuseException, IOException {
        if (!node.unlinked) {
            checkChangeable(open.nodes.path(node));
        }
        files.resize(node, size);
        if (node.opens == 0) {
            // Nobody will close it.
            publisher.publish(node);
            files.dropDraft(node);
        }
    }

    private AttributeChange change(AttributeUpdate update) {
        OptionalLong modified = update.modified()
                .map(time -> OptionalLong.of(time(time).toEpochMilli()))
                .orElse(OptionalLong.empty());
        OptionalInt mode = update.mode().isPresent()
                ? OptionalInt.of(update.mode().getAsInt() & Mode.PERMISSIONS)
                : OptionalInt.empty();
        return new AttributeChange(text(update.user(), open.users), text(update.group(), open.groups), mode, modified);
    }

    private static Optional<String> text(OptionalInt number, Owners owners) {
        return number.isPresent() ? Optional.of(owners.text(number.getAsInt())) : Optional.empty();
    }

    private Instant time(Instant asked) {
        return asked.equals(Instant.MAX) ? open.now() : asked;
    }

    private static FileAttributes changed(FileAttributes old, AttributeChange change) {
        return new FileAttributes(
                old.length(),
                change.mtimeMillis().orElse(old.mtimeMillis()),
                change.owner().orElse(old.owner()),
                change.group().orElse(old.group()),
                (old.mode() & FileAttributes.TYPE) | change.mode().orElse(old.permissions()));
    }

    /** The extended attributes of a node, by name. */
    Map<String, byte[]> extended(Node node) throws FuseException, IOException {
        if (!open.source.hasExtendedAttributes()) {
            // The kernel does not ask again.
            throw new FuseException(Errno.ENOSYS);
        }
        return open.source.extendedAttributes(open.nodes.path(node));
    }

    /** Their names, each with a NUL behind it. */
    byte[] extendedNames(Node node) throws FuseException, IOException {
        StringBuilder names = new StringBuilder();
        for (String name : new TreeSet<>(extended(node).keySet())) {
            names.append(name).append('\0');
        }
        return names.toString().getBytes(StandardCharsets.UTF_8);
    }

    Space space() throws IOException {
        BdtStatistics statistics = open.bdt().statistics();
        long used = statistics.blobBytes() / BLOCK;
        long free = FREE_BYTES / BLOCK;
        long files = statistics.files() + statistics.directories();
        return new Space(used + free, free, files + FREE_FILES, FREE_FILES, BLOCK, LONGEST_NAME);
    }
}
