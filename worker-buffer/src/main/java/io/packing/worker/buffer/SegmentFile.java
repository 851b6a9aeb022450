package io.packing.worker.buffer;

import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** The file of a segment, which a footer makes a blob. */
public record SegmentFile(Path path, FileChannel channel) {}
