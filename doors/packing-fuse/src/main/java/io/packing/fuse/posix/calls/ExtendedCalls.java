// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.RareAttributeChange;
import io.packing.blob.FilePath;
import io.packing.fuse.Caller;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.Mode;
import io.packing.fuse.posix.ErrnoMapping;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.publish.Publisher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The calls on extended attributes. They ask the master only about nodes that are known to have some. */
public final class ExtendedCalls {
    private static final String TRUSTED = "trusted.";
    private static final int CREATE = 1;
    private static final int REPLACE = 2;

    private final OpenMount open;
    private final Publisher publisher;

    public ExtendedCalls(OpenMount open, Publisher publisher) {
        this.open = open;
        this.publisher = publisher;
    }

    public byte[] get(Node node, String name) throws FuseException, IOException {
        ExtendedValue value = open.locks.locked(node, () -> all(node)).get(name);
        if (value == null) {
            throw new FuseException(Errno.ENODATA);
        }
        return value.bytes();
    }

    /** Returns the names that a caller may know, each followed by a NUL. */
    public byte[] names(Caller caller, Node node) throws FuseException, IOException {
        StringBuilder names = new StringBuilder();
        for (String name : open.locks.locked(node, () -> all(node)).keySet()) {
            if (caller.user() == 0 || !name.startsWith(TRUSTED)) {
                names.append(name).append('\0');
            }
        }
        return names.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns all attributes of a node, with those of its source. Needs its lock. */
    private Map<String, ExtendedValue> all(Node node) throws FuseException, IOException {
        if (node.isPending()) {
            return Map.of();
        }
        Map<String, ExtendedValue> all = inTable(node);
        if (open.source.hasExtendedAttributes()) {
            Map<String, ExtendedValue> both = new TreeMap<>(all);
            open.source
                    .extendedAttributes(path(node))
                    .forEach((name, value) -> both.put(name, new ExtendedValue(value)));
            return both;
        }
        return all;
    }

    private FilePath path(Node node) throws FuseException {
        return node.kept.isPresent() ? node.kept.get() : open.nodes.path(node);
    }

    private Map<String, ExtendedValue> inTable(Node node) throws FuseException, IOException {
        if (node.unlinked && node.kept.isEmpty()) {
            return Map.of();
        }
        FilePath path = path(node);
        boolean isOld = open.nanoTime.getAsLong() - node.learntAt
                > open.settings.valid().toNanos();
        if (node.version.isEmpty() || isOld) {
            FileStatus unused = publisher.present(node, path);
        }
        if (!node.extras.hasExtended()) {
            return Map.of();
        }
        if (node.extendedOf != node.extras.extended()) {
            node.extended = new TreeMap<>(
                    open.bdt().extended(path).orElseThrow(() -> new FuseException(Errno.ESTALE, path + " is gone")));
            node.extendedOf = node.extras.extended();
        }
        return node.extended;
    }

    public void set(Node node, String name, byte[] bytes, int flags) throws FuseException, IOException {
        ExtendedChange.Kind kind = switch (flags) {
            case 0 -> ExtendedChange.Kind.PUT;
            case CREATE -> ExtendedChange.Kind.CREATE;
            case REPLACE -> ExtendedChange.Kind.REPLACE;
            default -> throw new FuseException(Errno.EINVAL);
        };
        ExtendedValue value = new ExtendedValue(bytes);
        if (name.equals(Acl.ACCESS)) {
            Acl acl = Acl.decode(value);
            ExtendedChange step = acl.isMode()
                    ? ExtendedChange.of(ExtendedChange.Kind.DROP, name)
                    : new ExtendedChange(kind, name, value);
            change(node, step, Optional.of(acl));
            return;
        }
        if (name.equals(Acl.DEFAULT)) {
            Acl unused = Acl.decode(value);
        }
        change(node, new ExtendedChange(kind, name, value), Optional.empty());
    }

    public void remove(Node node, String name) throws FuseException, IOException {
        // The removal of a missing list succeeds.
        boolean isList = name.equals(Acl.ACCESS) || name.equals(Acl.DEFAULT);
        change(
                node,
                ExtendedChange.of(isList ? ExtendedChange.Kind.DROP : ExtendedChange.Kind.REMOVE, name),
                Optional.empty());
    }

    /** @param mode the list that determines the mode */
    private void change(Node node, ExtendedChange step, Optional<Acl> mode) throws FuseException, IOException {
        Node unused = open.locks.locked(node, () -> {
            publisher.publish(node);
            if (node.unlinked && node.kept.isEmpty()) {
                throw new FuseException(Errno.EOPNOTSUPP, "a file without a name");
            }
            FilePath path = path(node);
            if (path.isPast()) {
                throw new FuseException(Errno.EROFS);
            }
            OptionalInt permissions = mode.isPresent()
                    ? OptionalInt.of(mode.get().mode(node.attributes.permissions()))
                    : OptionalInt.empty();
            AttributeChange change = new AttributeChange(Optional.empty(), Optional.empty(), permissions)
                    .with(new RareAttributeChange(List.of(step), 0, Optional.of(open.now())));
            ErrnoMapping.check(open.bdt().setAttributes(path, change));
            FileStatus now = publisher.present(node, path);
            node.changed = now.extras().changed();
            return node;
        });
    }

    /** Returns the steps that fit a node's access control list to a new mode, if it has one. Needs its lock. */
    List<ExtendedChange> following(Node node, int mode) throws FuseException, IOException {
        if (node.isPending() || !node.extras.hasExtended()) {
            return List.of();
        }
        ExtendedValue list = inTable(node).get(Acl.ACCESS);
        return list == null
                ? List.of()
                : List.of(ExtendedChange.put(
                        Acl.ACCESS, Acl.decode(list).withMode(mode).encode()));
    }

    /**
     * The attributes of a new entry.
     *
     * @param mode permissions
     */
    record Given(int mode, List<ExtendedChange> steps) {}

    /** Returns the attributes of a new entry in a directory, for a caller's mode. */
    Given given(Caller caller, Node parent, int mode, boolean directory) throws FuseException, IOException {
        Map<String, ExtendedValue> has = Map.of();
        parent.lock.lock();
        try {
            if (parent.extras.hasExtended()) {
                has = inTable(parent);
            }
        } finally {
            parent.lock.unlock();
        }
        ExtendedValue list = has.get(Acl.DEFAULT);
        if (list == null) {
            return new Given(mode & ~caller.umask() & Mode.PERMISSIONS, List.of());
        }
        Acl access = Acl.decode(list).created(mode);
        Map<String, ExtendedValue> given = new TreeMap<>();
        if (!access.isMode()) {
            given.put(Acl.ACCESS, access.encode());
        }
        if (directory) {
            given.put(Acl.DEFAULT, list);
        }
        return new Given(access.mode(mode & Mode.PERMISSIONS), ExtendedChange.putAll(given));
    }
}
