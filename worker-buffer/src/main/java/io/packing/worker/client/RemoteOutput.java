// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import io.packing.bdt.LocatedFile;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.SpillingOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** The output of a file that a worker in another process buffers; a large one has a stream of its own. */
final class RemoteOutput extends SpillingOutput {
    private final RemotePackingFileSystem mount;
    private final FilePath path;
    private final CreateOptions options;
    private final LargeFile large;

    RemoteOutput(RemotePackingFileSystem mount, FilePath path, CreateOptions options) {
        super(path, mount.options().write().pieceBytes());
        this.mount = mount;
        this.path = path;
        this.options = options;
        this.large = new LargeFile(mount.ways(path, options));
    }

    @Override
    protected CompletableFuture<FileVersion> put(ByteBuffer all) {
        return mount.put(path, all, options);
    }

    @Override
    protected void spill(ByteBuffer piece) throws IOException {
        large.write(piece);
    }

    @Override
    protected CompletableFuture<FileVersion> finish(ByteBuffer last) throws IOException {
        return CompletableFuture.completedFuture(large.finish(last));
    }

    @Override
    protected void discard() {
        large.abort();
    }

    /** Asks the master for the attributes, since the worker's clock gave the mtime. */
    @Override
    public FileAttributes attributes() {
        try {
            return mount.bdt()
                    .locate(version())
                    .map(LocatedFile::status)
                    .orElseThrow(() -> new IllegalStateException(path + " was deleted or overwritten"))
                    .attributes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
