// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The output of {@link PackingFileSystem#writeAt}. */
final class OffsetOutput extends AtomicOutput {
    private final PackingFileSystem mount;
    private final FilePath path;
    private final long offset;
    /** Empty before the first byte: an output without bytes changes nothing. */
    private Optional<ScratchFile> scratch = Optional.empty();

    OffsetOutput(PackingFileSystem mount, FilePath path, long offset) throws IOException {
        super(path);
        if (offset < 0) {
            throw new IllegalArgumentException("%s: no offset %d".formatted(path, offset));
        }
        path.checkCreatable();
        this.mount = mount;
        this.path = path;
        this.offset = offset;
    }

    @Override
    protected void append(byte[] from, int start, int length) throws IOException {
        if (length == 0) {
            return;
        }
        if (scratch.isEmpty()) {
            scratch = Optional.of(ScratchFile.create(mount, "", path));
        }
        scratch.get().write(from, start, length);
    }

    @Override
    protected void complete() throws IOException {
        if (scratch.isPresent()) {
            scratch.get().close();
            apply(scratch.get());
        }
    }

    private void apply(ScratchFile bytes) throws IOException {
        VectorResult result;
        try {
            result = mount.bdt().apply(new OperationVector(List.of(), bytes.putAll(path, offset)));
        } catch (IllegalArgumentException e) {
            bytes.delete(mount.bdt());
            throw e;
        }
        if (result instanceof VectorResult.Refused refused) {
            bytes.delete(mount.bdt());
            throw failure(refused.reason());
        }
    }

    private IOException failure(Outcome reason) {
        return switch (reason) {
            case NOT_FOUND, NO_PARENT, NOT_A_DIRECTORY ->
                new FileNotFoundException("%s: no such file; nothing was written".formatted(path));
            case IS_A_DIRECTORY -> new IOException("%s is a directory; nothing was written".formatted(path));
            case UNCOMMITTED ->
                new IOException(
                        "%s: its writer still waits for the upload; write when its close has returned; nothing was written"
                                .formatted(path));
            default -> new IOException("%s: refused as %s; nothing was written".formatted(path, reason));
        };
    }

    @Override
    protected void discard() {
        scratch.ifPresent(AtomicOutput::abort);
    }
}
