// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;

/**
 * An output of the bytes of a new file, in order. The file appears in the namespace, complete, when the output is
 * closed.
 */
public abstract class PackingOutput extends AtomicOutput {
    protected PackingOutput(FilePath path) {
        super(path);
    }

    /** Returns the identity of the file, once closed. */
    public abstract FileVersion version();

    /** Returns the attributes of the file, once closed. */
    public abstract FileAttributes attributes();
}
