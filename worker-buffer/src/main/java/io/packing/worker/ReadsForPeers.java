// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.bdt.Bdt;
import io.packing.bdt.BdtUser;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.spans.Spans;
import io.packing.worker.read.BatchAnswer;
import io.packing.worker.read.BatchReads;
import io.packing.worker.read.FileReader;
import io.packing.worker.read.StoredFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The reads of a mount's files that this process does for others. Thread-safe. */
final class ReadsForPeers {
    private final FileReader reader;
    private final StoredFiles stored;
    private final BatchReads batches;
    private final ReadRights rights;
    private final Spans spans;

    ReadsForPeers(Bdt bdt, FileReader reader, Spans spans, LongSupplier nanos) {
        this.reader = reader;
        this.stored = new StoredFiles(reader, nanos);
        this.batches = new BatchReads(bdt, reader);
        this.rights = new ReadRights(bdt::readable, nanos);
        this.spans = spans;
    }

    /** Returns bytes of a file that this process buffers; empty when it does not. */
    Optional<ByteBuffer> buffered(FileVersion version, long offset, int length) throws IOException {
        try (Span span = spans.serve("read buffered", CurrentSpan.get().context())) {
            return reader.own().read(version, offset, length);
        }
    }

    /** Returns bytes of a file that is in blobs, for a user who may read it; empty when it is not. */
    Optional<ByteBuffer> stored(FileVersion version, long offset, int length) throws IOException {
        try (Span span = spans.serve("read stored", CurrentSpan.get().context())) {
            return stored.read(version, offset, length);
        }
    }

    /** Reads whole small files for a user, as many of the first as one answer takes. */
    List<BatchAnswer> batch(List<FilePath> paths, Optional<BdtUser> user, boolean readsOn) throws IOException {
        try (Span span = spans.serve("read batch", CurrentSpan.get().context())) {
            return batches.read(paths, user, readsOn);
        }
    }

    /** Returns the rights of users on the bytes of this mount's files. */
    ReadRights rights() {
        return rights;
    }
}
