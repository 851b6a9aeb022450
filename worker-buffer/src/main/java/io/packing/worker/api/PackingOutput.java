package io.packing.worker.api;

import io.packing.blob.FileAttributes;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.io.OutputStream;

/** The bytes of a new file, in order. Confined to one thread. */
public abstract class PackingOutput extends OutputStream {
    /** Completes the file: returns when it is as durable as the mount asks, and claimed. Idempotent. */
    @Override
    public abstract void close() throws IOException;

    /** Gives the file up; nothing appears in the namespace. A later close does nothing. */
    public abstract void abort();

    /** The identity of the file, once closed. */
    public abstract FileVersion version();

    /** The attributes of the file, once closed. */
    public abstract FileAttributes attributes();
}
