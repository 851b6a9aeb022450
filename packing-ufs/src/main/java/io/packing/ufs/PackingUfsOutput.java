// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import alluxio.underfs.ContentHashable;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** A new file as Alluxio writes it. Confined to one thread. */
final class PackingUfsOutput extends OutputStream implements ContentHashable {
    private final PackingOutput output;
    private final CreateOptions creation;
    private final Runnable onPublished;
    private boolean published;

    /**
     * Wraps an output.
     *
     * @param creation how it was created
     * @param onPublished run once, after the file appeared in the namespace
     */
    PackingUfsOutput(PackingOutput output, CreateOptions creation, Runnable onPublished) {
        this.output = output;
        this.creation = creation;
        this.onPublished = onPublished;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        output.write(bytes, offset, count);
    }

    @Override
    public void flush() throws IOException {
        output.flush();
    }

    @Override
    public void close() throws IOException {
        boolean unused = AlluxioRefusals.known(() -> {
            output.close();
            return true;
        });
        if (!published) {
            published = true;
            onPublished.run();
        }
    }

    /** Returns the text that Alluxio's master needs for the file's fingerprint. */
    @Override
    public Optional<String> getContentHash() {
        if (!published) {
            return Optional.empty();
        }
        String hash = UfsStatuses.contentHash(output.version());
        return Optional.of(new CreatedFile(hash, creation.owner(), creation.group(), creation.mode()).encode());
    }
}
