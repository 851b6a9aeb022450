// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.Durability;
import io.packing.bdt.Reclaim;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The worker's questions to the master about the files in its buffer, and their answers. After a new registration it
 * asks about all files with a grant, and at any time about those whose claims got no answer. Thread-safe.
 */
public final class BufferReclaims {
    private final BufferState state;
    private final BufferIndex index;
    private final boolean uploaded;

    BufferReclaims(BufferState state, BufferIndex index, BufferLimits limits) {
        this.state = state;
        this.index = index;
        this.uploaded = limits.durability() == Durability.UPLOADED;
    }

    /**
     * Takes a commit that an earlier process could not send, after a restart. The worker does not pack the file again.
     */
    public void alreadyPushed(CommittedFile commit) throws IOException {
        state.alreadyPushed(commit.version());
    }

    /**
     * Returns the next files to ask about after a new registration, by id: all files with a grant. Their records do not have which of them were
     * deferred at their writers' wish.
     */
    public List<Reclaim> page(long afterId, int limit) throws IOException {
        List<Reclaim> page = new ArrayList<>();
        index.flush();
        try (BufferIndex.Rows rows = index.rows(afterId + 1, Long.MAX_VALUE)) {
            for (Optional<FileRow> row = rows.next(); row.isPresent() && page.size() < limit; row = rows.next()) {
                page.add(
                        reclaim(row.get().version(), row.get().path(), row.get().attributes(), false, 0));
            }
        }
        return page;
    }

    private Reclaim reclaim(
            FileVersion version, FilePath path, FileAttributes attributes, boolean deferred, long claimedAfter) {
        return new Reclaim(version, path, attributes, deferred || uploaded, claimedAfter);
    }

    /** Returns the files whose grant is unknown, without those whose claims are under way. */
    public List<Reclaim> doubts() {
        return state.doubts().stream()
                .map(file ->
                        reclaim(file.version(), file.path(), file.attributes(), file.isDeferred(), file.claimedAfter()))
                .toList();
    }

    /** Takes the master's answer: the version to keep, or none. */
    public void answered(Reclaim asked, Optional<FileVersion> keep) throws IOException {
        if (keep.isEmpty()) {
            // The end of the file may be in no journal yet.
            state.delete(List.of(asked.version().id()));
        } else {
            state.kept(asked.version(), keep.get());
        }
    }
}
