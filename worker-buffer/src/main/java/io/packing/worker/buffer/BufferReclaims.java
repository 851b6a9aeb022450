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
import java.util.Map;
import java.util.Optional;

/**
 * What a worker asks the master of the files in its buffer, and what the answers make of them: after a new registration
 * of all that were ever granted, at any time of those whose claims were not answered. The buffer's lock guards the states.
 */
public final class BufferReclaims {
    private final FileBuffer buffer;
    private final BufferIndex index;
    private final Map<Long, BufferedFile> active;

    /**
     * @param active files of the buffer that are in memory, by id
     */
    BufferReclaims(FileBuffer buffer, BufferIndex index, Map<Long, BufferedFile> active) {
        this.buffer = buffer;
        this.index = index;
        this.active = active;
    }

    /** After a restart: a commit that an earlier process could not send. The file is not packed again. */
    public void alreadyPushed(CommittedFile commit) throws IOException {
        synchronized (buffer) {
            Optional<BufferedFile> known = buffer.find(commit.version().id());
            if (known.isPresent()) {
                BufferedFile file = known.get();
                active.put(file.id(), file);
                file.move(BufferedFile.State.PUSHED);
                buffer.granted(file, commit.version().generation());
            }
        }
    }

    /** The next files to ask about after a new registration, by id: all that were ever granted. */
    public List<Reclaim> page(long afterId, int limit) throws IOException {
        List<Reclaim> page = new ArrayList<>();
        index.flush();
        try (BufferIndex.Rows rows = index.rows(afterId + 1, Long.MAX_VALUE)) {
            for (Optional<FileRow> row = rows.next(); row.isPresent() && page.size() < limit; row = rows.next()) {
                page.add(
                        reclaim(row.get().version(), row.get().path(), row.get().attributes()));
            }
        }
        return page;
    }

    private Reclaim reclaim(FileVersion version, FilePath path, FileAttributes attributes) {
        return new Reclaim(version, path, attributes, buffer.limits().durability() == Durability.UPLOADED);
    }

    /** Files of which it is not known whether they were granted, without the claims that are under way. */
    public List<Reclaim> doubts() {
        synchronized (buffer) {
            return active.values().stream()
                    .filter(file -> file.state == BufferedFile.State.PENDING && !file.claiming)
                    .filter(file -> file.appended.isDone())
                    .map(file -> reclaim(file.version(), file.path(), file.attributes()))
                    .toList();
        }
    }

    /** The master's answer: the version to keep, or none. */
    public void answered(Reclaim asked, Optional<FileVersion> keep) throws IOException {
        synchronized (buffer) {
            long id = asked.version().id();
            BufferedFile file = active.get(id);
            if (keep.isEmpty()) {
                buffer.forget(id);
            } else if (file != null) {
                buffer.granted(file, keep.get().generation());
            } else if (!keep.get().equals(asked.version())) {
                index.get(id)
                        .ifPresent(
                                row -> index.put(row.withGeneration(keep.get().generation())));
            }
        }
    }
}
