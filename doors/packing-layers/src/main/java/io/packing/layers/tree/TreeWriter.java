// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.tree;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.worker.api.PackingOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Makes a directory of the entries of a layer, out of operations on names alone: a file is a clone of the content that
 * is stored by its hash. The tar's own bytes (short files, targets of links) are written as a few files of neighbours,
 * each cut into ranges. A file for each would be a request for each. Confined to one thread.
 */
final class TreeWriter {
    /** A short file is read with its neighbours, up to so many bytes. */
    private static final int GROUP_BYTES = 64 << 10;
    /** One vector is one record of the master's log. */
    private static final int OPERATIONS = 4_000;

    private final RegistryFiles files;
    private final Layout layout;
    private final Supplier<String> ids;
    private final FilePath root;
    private final List<Operation> operations = new ArrayList<>();

    /**
     * A file whose bytes are in the group.
     *
     * @param end of its bytes in the group
     */
    private record Member(FilePath path, int end, Instant modified) {}

    /** The path of each entry that may have more names. */
    private final IdentityHashMap<LayerEntry, FilePath> linked = new IdentityHashMap<>();

    private final List<Member> members = new ArrayList<>();
    private final ByteArrayOutputStream group = new ByteArrayOutputStream();

    /** @param root the directory, which is not there yet */
    TreeWriter(RegistryFiles files, Layout layout, Supplier<String> ids, FilePath root) {
        this.files = files;
        this.layout = layout;
        this.ids = ids;
        this.root = root;
    }

    /** Makes the directory. When this fails, the caller removes the entries made so far with the directory above. */
    void write(LayerEntries entries) throws IOException {
        for (Map.Entry<String, LayerEntry> each : entries.all().entrySet()) {
            add(each.getKey(), each.getValue(), entries.isLinked(each.getValue()));
        }
        endGroup();
        apply();
    }

    private FilePath at(String path) {
        return path.isEmpty() ? root : new FilePath(root.value() + "/" + path);
    }

    private void add(String path, LayerEntry entry, boolean isLinked) throws IOException {
        FilePath at = at(path);
        at.checkCreatable();
        if (entry.isDirectory()) {
            operations.add(new Operation.MakeDirectory(at, entry.directory(), path.isEmpty()));
            AttributeChange change =
                    AttributeChange.ofMtime(entry.modified().toEpochMilli()).with(entry.ownAttributes());
            operations.add(new Operation.SetAttributes(at, change));
        } else {
            addFile(at, entry, isLinked);
        }
        if (operations.size() >= OPERATIONS) {
            endGroup();
            apply();
        }
    }

    private void addFile(FilePath at, LayerEntry entry, boolean isLinked) throws IOException {
        FilePath first = isLinked ? linked.putIfAbsent(entry, at) : null;
        if (first != null) {
            operations.add(new Operation.Link(first, at));
        } else if (entry.body() instanceof EntryBody.Shared shared) {
            operations.add(new Operation.CloneFile(layout.file(shared.hex()), at, false, entry.attributes()));
        } else if (entry.body() instanceof EntryBody.Inline inline) {
            operations.add(new Operation.CreateFile(at, entry.attributes(), false));
            if (inline.bytes().length > 0) {
                addToGroup(at, entry, inline.bytes());
            }
        }
    }

    private void addToGroup(FilePath at, LayerEntry entry, byte[] bytes) throws IOException {
        if (group.size() > 0 && group.size() + bytes.length > GROUP_BYTES) {
            endGroup();
        }
        group.writeBytes(bytes);
        members.add(new Member(at, group.size(), entry.modified()));
    }

    private void endGroup() throws IOException {
        if (members.isEmpty()) {
            return;
        }
        FilePath scratch = layout.scratch(ids.get());
        PackingOutput out = files.create(scratch);
        try {
            out.write(group.toByteArray());
            out.close();
        } catch (IOException | RuntimeException e) {
            out.abort();
            throw e;
        }
        int start = 0;
        for (Member member : members) {
            operations.add(
                    new Operation.CloneRange(new ByteRange(scratch, start, member.end() - start), member.path(), 0));
            // A change of its bytes changes its time.
            operations.add(new Operation.SetAttributes(member.path(), LayerEntry.time(member.modified())));
            start = member.end();
        }
        operations.add(new Operation.Delete(scratch, false));
        members.clear();
        group.reset();
    }

    private void apply() throws IOException {
        if (operations.isEmpty()) {
            return;
        }
        if (files.apply(new OperationVector(List.of(), operations)) instanceof VectorResult.Refused refused) {
            throw new IOException(
                    "%s is refused as %s: the registry's collection may have removed it meanwhile; try again"
                            .formatted(operations.get(refused.index()), refused.reason()));
        }
        operations.clear();
    }
}
