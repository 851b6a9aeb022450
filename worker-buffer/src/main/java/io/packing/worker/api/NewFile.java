package io.packing.worker.api;

import io.packing.blob.FilePath;
import java.nio.ByteBuffer;

/**
 * A whole small file that is to be written.
 *
 * @param bytes stay as they are until the file is written
 */
public record NewFile(FilePath path, ByteBuffer bytes, CreateOptions options) {}
