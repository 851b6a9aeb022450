// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.blob.FileVersion;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;

/** A file that is written; one that is closed before it is complete leaves nothing. Confined to one thread. */
final class NewObjectFile implements AutoCloseable {
    private final PackingOutput out;
    private boolean isComplete;

    NewObjectFile(PackingOutput out) {
        this.out = out;
    }

    void write(byte[] bytes, int count) throws IOException {
        out.write(bytes, 0, count);
    }

    /** Makes the file; returns when it is as durable as the mount asks. */
    FileVersion complete() throws IOException {
        out.close();
        isComplete = true;
        return out.version();
    }

    @Override
    public void close() throws IOException {
        if (!isComplete) {
            out.abort();
        }
    }
}
