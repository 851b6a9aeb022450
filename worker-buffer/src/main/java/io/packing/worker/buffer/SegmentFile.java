// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** The file of a segment, which becomes a blob by its footer. */
public record SegmentFile(Path path, FileChannel channel) {}
