// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A file system in memory, with links and extended attributes, for all calls of the protocol. */
final class InMemoryFiles implements FuseFileSystem {
    private static final int EXCLUSIVE = 0200;
    private static final int CREATE_ONLY = 1;
    private static final int REPLACE_ONLY = 2;

    private final Clock clock;
    private final Map<Long, InMemoryNode> nodes = new HashMap<>();
    private long last = ROOT;

    InMemoryFiles(Clock clock) {
        this.clock = clock;
        Caller root = new Caller(0, 0, 0, false, () -> false);
        nodes.put(ROOT, new InMemoryNode(ROOT, Mode.DIRECTORY | 0755, 0, root, clock));
    }

    private InMemoryNode node(long number) throws FuseException {
        InMemoryNode node = nodes.get(number);
        if (node == null) {
            throw new FuseException(Errno.ESTALE);
        }
        return node;
    }

    private InMemoryNode find(long parent, String name) throws FuseException {
        InMemoryNode node = node(parent).entries.get(name);
        if (node == null) {
            throw new FuseException(Errno.ENOENT);
        }
        return node;
    }

    private InMemoryNode make(Caller caller, long parent, String name, int mode, int device) throws FuseException {
        InMemoryNode directory = node(parent);
        if (directory.entries.containsKey(name)) {
            throw new FuseException(Errno.EEXIST);
        }
        InMemoryNode made = new InMemoryNode(++last, mode, device, caller, clock);
        nodes.put(made.number, made);
        directory.entries.put(name, made);
        touch(directory);
        return made;
    }

    private void touch(InMemoryNode node) {
        node.modified = clock.instant();
        node.changed = node.modified;
    }

    @Override
    public synchronized Entry lookup(Caller caller, long parent, String name) throws FuseException {
        return find(parent, name).entry();
    }

    @Override
    public synchronized NodeAttributes attributes(Caller caller, long node) throws FuseException {
        return node(node).show();
    }

    @Override
    public synchronized NodeAttributes setAttributes(Caller caller, long number, AttributeUpdate update)
            throws FuseException {
        InMemoryNode node = node(number);
        node.changed = clock.instant();
        update.mode().ifPresent(mode -> node.mode = (node.mode & Mode.TYPE) | (mode & Mode.PERMISSIONS));
        update.user().ifPresent(user -> node.user = user);
        update.group().ifPresent(group -> node.group = group);
        if (update.size().isPresent()) {
            node.resize(update.size().getAsLong());
            touch(node);
        }
        node.accessed = time(update.accessed(), node.accessed);
        node.modified = time(update.modified(), node.modified);
        return node.show();
    }

    private Instant time(Optional<Instant> asked, Instant old) {
        return asked.map(time -> time.equals(Instant.MAX) ? clock.instant() : time)
                .orElse(old);
    }

    @Override
    public synchronized byte[] readLink(Caller caller, long node) throws FuseException {
        return node(node).bytes;
    }

    @Override
    public synchronized Entry symlink(Caller caller, long parent, String name, byte[] target) throws FuseException {
        InMemoryNode made = make(caller, parent, name, Mode.SYMLINK | 0777, 0);
        made.bytes = target;
        return made.entry();
    }

    @Override
    public synchronized Entry makeNode(Caller caller, long parent, String name, int mode, int device)
            throws FuseException {
        return make(caller, parent, name, mode, device).entry();
    }

    @Override
    public synchronized Entry makeDirectory(Caller caller, long parent, String name, int mode) throws FuseException {
        return make(caller, parent, name, Mode.DIRECTORY | mode, 0).entry();
    }

    @Override
    public synchronized void unlink(Caller caller, long parent, String name) throws FuseException {
        InMemoryNode node = find(parent, name);
        node(parent).entries.remove(name);
        node.links--;
        node.changed = clock.instant();
        touch(node(parent));
    }

    @Override
    public synchronized void removeDirectory(Caller caller, long parent, String name) throws FuseException {
        if (!find(parent, name).entries.isEmpty()) {
            throw new FuseException(Errno.ENOTEMPTY);
        }
        node(parent).entries.remove(name);
        touch(node(parent));
    }

    @Override
    public synchronized void rename(
            Caller caller, long parent, String name, long newParent, String newName, RenameKind kind)
            throws FuseException {
        InMemoryNode moved = find(parent, name);
        InMemoryNode there = node(newParent).entries.get(newName);
        if (kind == RenameKind.EXCHANGE) {
            find(newParent, newName);
            node(parent).entries.put(name, there);
            node(newParent).entries.put(newName, moved);
            return;
        }
        if (there != null && kind == RenameKind.NO_REPLACE) {
            throw new FuseException(Errno.EEXIST);
        }
        if (there != null && there.isDirectory() && !there.entries.isEmpty()) {
            throw new FuseException(Errno.ENOTEMPTY);
        }
        if (there != null) {
            there.links--;
        }
        node(parent).entries.remove(name);
        node(newParent).entries.put(newName, moved);
        touch(node(parent));
        touch(node(newParent));
    }

    @Override
    public synchronized Entry link(Caller caller, long number, long newParent, String newName) throws FuseException {
        InMemoryNode node = node(number);
        if (node(newParent).entries.putIfAbsent(newName, node) != null) {
            throw new FuseException(Errno.EEXIST);
        }
        node.links++;
        node.changed = clock.instant();
        return node.entry();
    }

    @Override
    public synchronized Opened open(Caller caller, long node, int flags) throws FuseException {
        return new Opened(node(node).number, 0);
    }

    @Override
    public synchronized Created create(Caller caller, long parent, String name, int mode, int flags)
            throws FuseException {
        InMemoryNode there = node(parent).entries.get(name);
        if (there != null && (flags & EXCLUSIVE) != 0) {
            throw new FuseException(Errno.EEXIST);
        }
        InMemoryNode node = there != null ? there : make(caller, parent, name, Mode.REGULAR | mode, 0);
        return new Created(node.entry(), new Opened(node.number, 0));
    }

    @Override
    public synchronized void read(Caller caller, long node, long handle, long offset, ByteBuffer into)
            throws FuseException {
        byte[] bytes = node(node).bytes;
        if (offset < bytes.length) {
            into.put(bytes, (int) offset, (int) Math.min(into.remaining(), bytes.length - offset));
        }
    }

    @Override
    public synchronized void write(Caller caller, long number, long handle, long offset, ByteBuffer from)
            throws FuseException {
        InMemoryNode node = node(number);
        int end = Math.toIntExact(offset + from.remaining());
        if (end > node.bytes.length) {
            node.resize(end);
        }
        from.get(node.bytes, (int) offset, from.remaining());
        touch(node);
    }

    @Override
    public void flush(Caller caller, long node, long handle, DeferredAnswer answer) {
        answer.done();
    }

    @Override
    public synchronized void sync(Caller caller, long node, long handle, boolean dataOnly) {}

    @Override
    public synchronized Opened openDirectory(Caller caller, long node, int flags) {
        return new Opened(node, 0);
    }

    @Override
    public synchronized void list(Caller caller, long node, long handle, long offset, DirectoryEntries entries)
            throws FuseException {
        long at = 0;
        for (Map.Entry<String, InMemoryNode> entry : node(node).entries.entrySet()) {
            at++;
            if (at > offset) {
                if (!entries.fits(entry.getKey())) {
                    return;
                }
                if (entries.wantsNodes()) {
                    entries.add(entry.getKey(), entry.getValue().entry(), at);
                } else {
                    entries.add(entry.getKey(), entry.getValue().number, entry.getValue().mode, at);
                }
            }
        }
    }

    @Override
    public synchronized void setExtendedAttribute(Caller caller, long number, String name, byte[] value, int flags)
            throws FuseException {
        Map<String, byte[]> extended = node(number).extended;
        if (flags == CREATE_ONLY && extended.containsKey(name)) {
            throw new FuseException(Errno.EEXIST);
        }
        if (flags == REPLACE_ONLY && !extended.containsKey(name)) {
            throw new FuseException(Errno.ENODATA);
        }
        extended.put(name, value);
    }

    @Override
    public synchronized byte[] extendedAttribute(Caller caller, long node, String name) throws FuseException {
        byte[] value = node(node).extended.get(name);
        if (value == null) {
            throw new FuseException(Errno.ENODATA);
        }
        return value;
    }

    @Override
    public synchronized byte[] extendedAttributes(Caller caller, long node) throws FuseException {
        StringBuilder names = new StringBuilder();
        node(node).extended.keySet().forEach(name -> names.append(name).append('\0'));
        return names.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void removeExtendedAttribute(Caller caller, long node, String name) throws FuseException {
        if (node(node).extended.remove(name) == null) {
            throw new FuseException(Errno.ENODATA);
        }
    }

    @Override
    public synchronized Space space(Caller caller, long node) {
        return new Space(1 << 20, 1 << 19, 1 << 20, 1 << 19, 4096, 255);
    }
}
