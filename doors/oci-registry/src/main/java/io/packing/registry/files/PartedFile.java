// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import io.packing.bdt.ByteRange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is written as parts, each small enough for the mount to pack it into a blob with other files; a vector makes one
 * file of them. As one large file it would have a blob, and so a PUT, of its own. Confined to one thread.
 */
public final class PartedFile {
    private static final Logger LOG = LoggerFactory.getLogger(PartedFile.class);
    /** The most parts of a file. All later bytes are one part: it fills blobs of its own, and a map has a limit. */
    private static final int MOST_PARTS = 1_024;

    private record Part(FilePath path, long length) {}

    private final RegistryFiles files;
    private final Layout layout;
    private final Supplier<String> ids;
    private final List<Part> parts = new ArrayList<>();
    private Optional<PackingOutput> open = Optional.empty();
    private long openLength;
    private long length;

    /** @param ids gives unique names */
    public PartedFile(RegistryFiles files, Layout layout, Supplier<String> ids) {
        this.files = files;
        this.layout = layout;
        this.ids = ids;
    }

    /** Appends bytes. */
    public void write(byte[] bytes, int offset, int count) throws IOException {
        for (int done = 0; done < count; ) {
            if (openLength >= files.packedBytes() && parts.size() < MOST_PARTS) {
                closePart();
            }
            if (open.isEmpty()) {
                FilePath path = layout.scratch(ids.get());
                open = Optional.of(files.create(path));
                parts.add(new Part(path, 0));
            }
            long room = parts.size() < MOST_PARTS ? files.packedBytes() - openLength : Long.MAX_VALUE;
            int n = (int) Math.min(count - done, room);
            open.get().write(bytes, offset + done, n);
            openLength += n;
            length += n;
            done += n;
        }
    }

    /** Bytes so far. */
    public long length() {
        return length;
    }

    /** Ends the file: its bytes are as durable as the mount asks when this returns. There must be some. */
    public void finish() throws IOException {
        if (length == 0) {
            throw new IllegalStateException("a file of no part");
        }
        closePart();
    }

    private void closePart() throws IOException {
        if (open.isPresent()) {
            open.get().close();
            open = Optional.empty();
            int last = parts.size() - 1;
            parts.set(last, new Part(parts.get(last).path(), openLength));
            openLength = 0;
        }
    }

    /** Adds the operations to a vector that make one file of the parts; returns the file's path. */
    public FilePath addTo(VectorBuilder vector) {
        FilePath whole = parts.get(0).path();
        long end = parts.get(0).length();
        for (Part part : parts.subList(1, parts.size())) {
            vector.add(new Operation.CloneRange(new ByteRange(part.path(), 0, part.length()), whole, end));
            vector.delete(part.path());
            end += part.length();
        }
        return whole;
    }

    /**
     * Gives up the written parts. Parts that cannot be removed now are garbage, which the collector removes: the call
     * waits for a silent master once, and not for each part.
     */
    public void abort() {
        open.ifPresent(PackingOutput::abort);
        int closed = open.isPresent() ? parts.size() - 1 : parts.size();
        open = Optional.empty();
        for (Part part : parts.subList(0, closed)) {
            OperationVector removal = new VectorBuilder().delete(part.path()).build();
            try {
                VectorResult unused = files.apply(removal);
            } catch (IOException e) {
                LOG.warn("{} and the parts behind it are left to garbage collection: {}", part.path(), e.toString());
                break;
            }
        }
        parts.clear();
    }
}
