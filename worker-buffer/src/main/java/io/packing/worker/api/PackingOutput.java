package io.packing.worker.api;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;

/** The bytes of a new file, in order. It appears in the namespace, complete, when the output is closed. */
public abstract class PackingOutput extends AtomicOutput {
    protected PackingOutput(FilePath path) {
        super(path);
    }

    /** The identity of the file, once closed. */
    public abstract FileVersion version();

    /** The attributes of the file, once closed. */
    public abstract FileAttributes attributes();
}
