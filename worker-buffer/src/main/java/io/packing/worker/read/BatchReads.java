// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.bdt.Bdt;
import io.packing.bdt.BdtUser;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingInput;
import io.packing.worker.disk.BlobPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reads of many small files at once, for clients of a worker. One question to the master has the rights of the
 * client and the places of all files. The files are read in the order of their blobs, so that one request to the store
 * brings neighbours. Thread-safe.
 */
public final class BatchReads {
    /** The largest file of a batch. */
    public static final int MOST_FILE_BYTES = 1 << 20;
    /** The most bytes of the files of one answer. */
    public static final int MOST_BYTES = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(BatchReads.class);

    private final Bdt bdt;
    private final FileReader reader;

    public BatchReads(Bdt bdt, FileReader reader) {
        this.bdt = bdt;
        this.reader = reader;
    }

    /**
     * Reads the files at the first of the paths, in their order: as many as one answer takes, at least one.
     *
     * @param user whose rights count; empty: the worker's own, as the server identifies no caller
     * @param readsOn true if the client reads the files behind these next, in the order of their blobs
     */
    public List<BatchAnswer> read(List<FilePath> paths, Optional<BdtUser> user, boolean readsOn) throws IOException {
        Optional<List<FoundEntry>> found =
                user.isEmpty() ? Optional.of(bdt.find(paths)) : bdt.findForUser(paths, user.get());
        if (found.isEmpty()) {
            // The master checks the rights of a user only where one file is opened.
            return paths.stream()
                    .map(path -> (BatchAnswer) new BatchAnswer.Apart())
                    .toList();
        }
        return read(found.get(), readsOn);
    }

    /** A file with its place in the answer. */
    private record Planned(int index, LocatedFile file) {
        private static final Comparator<Planned> BY_BLOB = Comparator.comparing((Planned planned) ->
                        planned.first().map(at -> at.blob().toString()).orElse(""))
                .thenComparing(planned ->
                        planned.first().map(at -> at.extent().blobOffset()).orElse(0L));

        private Optional<BlobExtent> first() {
            return file.placement() instanceof Placement.Packed packed
                    ? packed.extents().stream().findFirst()
                    : Optional.empty();
        }
    }

    private List<BatchAnswer> read(List<FoundEntry> found, boolean readsOn) {
        List<Planned> planned = new ArrayList<>();
        @Nullable BatchAnswer[] answers = new BatchAnswer[found.size()];
        int count = 0;
        for (long bytes = 0; count < found.size(); count++) {
            Optional<BatchAnswer> known = withoutBytes(found.get(count));
            if (known.isPresent()) {
                answers[count] = known.get();
                continue;
            }
            LocatedFile file = located(found.get(count));
            bytes += file.status().attributes().length();
            if (bytes > MOST_BYTES) {
                break;
            }
            planned.add(new Planned(count, file));
        }
        planned.sort(Planned.BY_BLOB);
        ReadOnBatch together = new ReadOnBatch(reader.pages());
        if (readsOn) {
            together.read(planned.stream().map(Planned::file).toList());
        } else {
            bring(planned);
        }
        for (Planned each : planned) {
            answers[each.index()] = together.bytes(each.file())
                    .<BatchAnswer>map(BatchAnswer.Whole::new)
                    .orElseGet(() -> bytes(each.file()));
        }
        return Arrays.stream(answers, 0, count)
                .map(each -> each == null ? new BatchAnswer.Apart() : each)
                .toList();
    }

    /**
     * Brings pages that lie close to each other with one request of the store. A failure is no matter here: the read of a
     * file that needs the page reports it.
     *
     * @param planned files in the order of their blobs
     */
    private void bring(List<Planned> planned) {
        Optional<PageRun> run = Optional.empty();
        for (Planned each : planned) {
            if (!(each.file().placement() instanceof Placement.Packed packed)) {
                continue;
            }
            for (BlobExtent at : packed.extents()) {
                PageRun next = PageRun.of(at);
                Optional<PageRun> both = run.flatMap(before -> before.with(next));
                if (both.isEmpty()) {
                    run.ifPresent(this::bring);
                }
                run = Optional.of(both.orElse(next));
            }
        }
        run.ifPresent(this::bring);
    }

    private void bring(PageRun run) {
        if (run.first() == run.last()) {
            return;
        }
        try {
            reader.pages().bring(run.blob(), run.first(), run.last());
        } catch (IOException e) {
            LOG.debug("{}: pages {} to {} are not brought", run.blob(), run.first(), run.last(), e);
        }
    }

    /** Neighbouring pages of a blob. */
    private record PageRun(BlobName blob, long first, long last) {
        /** The pages of a window. A run is within one, so that batches side by side ask for equal runs. */
        private static final long WINDOW = 32;
        /** The pages between two wanted ones that cost less than another request. */
        private static final long MOST_BETWEEN = 3;

        static PageRun of(BlobExtent at) {
            return new PageRun(
                    at.blob(),
                    at.extent().blobOffset() / BlobPage.BYTES,
                    (at.extent().blobEnd() - 1) / BlobPage.BYTES);
        }

        /** Returns the run with a later one, if one request brings both. */
        Optional<PageRun> with(PageRun later) {
            long end = Math.max(last, later.last());
            return blob.equals(later.blob())
                            && later.first() <= last + 1 + MOST_BETWEEN
                            && end / WINDOW == first / WINDOW
                    ? Optional.of(new PageRun(blob, first, end))
                    : Optional.empty();
        }
    }

    /** Returns the answer if it needs no byte of a file. */
    private static Optional<BatchAnswer> withoutBytes(FoundEntry found) {
        if (found.denied().isPresent()) {
            return Optional.of(new BatchAnswer.Denied(found.denied().get()));
        }
        if (found.entry().isEmpty()) {
            return Optional.of(new BatchAnswer.Absent());
        }
        ListedEntry entry = found.entry().get();
        if (entry.status().isDirectory()) {
            return Optional.of(new BatchAnswer.Directory());
        }
        // The answer when the file is opened alone says why the user may not read it.
        return entry.placement().isEmpty() || entry.status().attributes().length() > MOST_FILE_BYTES
                ? Optional.of(new BatchAnswer.Apart())
                : Optional.empty();
    }

    private static LocatedFile located(FoundEntry found) {
        ListedEntry entry = found.entry().orElseThrow();
        return new LocatedFile(entry.status(), entry.placement().orElseThrow());
    }

    private BatchAnswer bytes(LocatedFile file) {
        int length = (int) file.status().attributes().length();
        try {
            if (file.placement() instanceof Placement.Buffered buffered) {
                Optional<ByteBuffer> own = length == 0
                        ? Optional.of(ByteBuffer.allocate(0))
                        : reader.own().read(file.status().version(), 0, length);
                return own.filter(bytes -> bytes.remaining() == length)
                        .<BatchAnswer>map(BatchAnswer.Whole::new)
                        .orElseGet(() -> new BatchAnswer.BufferedElsewhere(buffered.address()));
            }
            ByteBuffer bytes = ByteBuffer.allocate(length);
            PackingInput input = reader.openFoundForUser(file);
            while (bytes.hasRemaining() && input.read(bytes.position(), bytes) > 0) {
                // Reads on: a read may return fewer bytes.
            }
            return bytes.hasRemaining() ? new BatchAnswer.Apart() : new BatchAnswer.Whole(bytes.flip());
        } catch (IOException e) {
            // The client reads this one by itself, and hears the reason.
            LOG.debug("{} is not read in a batch", file.status().path(), e);
            return new BatchAnswer.Apart();
        }
    }
}
