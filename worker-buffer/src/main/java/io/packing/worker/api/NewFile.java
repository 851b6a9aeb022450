// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.blob.FilePath;
import java.nio.ByteBuffer;

/**
 * A small file to write, with all its bytes.
 *
 * @param bytes that the caller does not change until the file is written
 */
public record NewFile(FilePath path, ByteBuffer bytes, CreateOptions options) {}
