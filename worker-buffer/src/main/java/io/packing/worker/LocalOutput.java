// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.SpillingOutput;
import io.packing.worker.buffer.Appender;
import io.packing.worker.buffer.SliceWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The output of a file that this process buffers; a large one becomes slices. */
final class LocalOutput extends SpillingOutput {
    private final FileAdmission admission;
    private final FilePath path;
    private final CreateOptions options;
    private final Runnable ended;
    private long length;
    private Optional<SliceWriter> slices = Optional.empty();
    private Optional<FileAttributes> attributes = Optional.empty();

    /** The last step of a write, which brings the file into the mount. */
    private interface Step {
        CompletableFuture<FileVersion> run() throws IOException;
    }

    /** @param ended runs once, when the file is in the mount, has failed, or is given up */
    LocalOutput(FileAdmission admission, FilePath path, CreateOptions options, Runnable ended) {
        super(path, admission.options().write().pieceBytes());
        this.admission = admission;
        this.path = path;
        this.options = options;
        this.ended = ended;
    }

    private CompletableFuture<FileVersion> last(Step step) throws IOException {
        try {
            return step.run().whenComplete((version, failure) -> ended.run());
        } catch (IOException | RuntimeException e) {
            ended.run();
            throw e;
        }
    }

    @Override
    protected CompletableFuture<FileVersion> put(ByteBuffer all) throws IOException {
        attributes = Optional.of(admission.attributes(options, all.remaining()));
        return last(() -> admission.put(path, options, all, Appender.Writer.CLOSES));
    }

    @Override
    protected void spill(ByteBuffer piece) throws IOException {
        SliceWriter unused = slice(piece);
    }

    @Override
    protected CompletableFuture<FileVersion> finish(ByteBuffer rest) throws IOException {
        return last(() -> {
            try {
                // A fenced worker must fail before it finishes the file.
                Objects.requireNonNull(admission.session());
                SliceWriter all = slice(rest);
                FileAttributes written = admission.attributes(options, length);
                attributes = Optional.of(written);
                return admission.finish(path, all, written, options);
            } catch (IOException | RuntimeException e) {
                slices.ifPresent(SliceWriter::abort);
                throw e;
            }
        });
    }

    private SliceWriter slice(ByteBuffer piece) throws IOException {
        if (slices.isEmpty()) {
            slices = Optional.of(admission.slices(path));
        }
        length += piece.remaining();
        slices.get().append(piece);
        return slices.get();
    }

    @Override
    protected void discard() {
        try {
            slices.ifPresent(SliceWriter::abort);
        } finally {
            ended.run();
        }
    }

    @Override
    public FileAttributes attributes() {
        FileVersion closed = version();
        return attributes.orElseThrow(() -> new IllegalStateException(closed + " has no attributes"));
    }
}
