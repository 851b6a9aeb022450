// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.flink;

import org.apache.flink.core.fs.RecoverableWriter;
import org.apache.hadoop.fs.Path;

/**
 * A part of a sink as a checkpoint knows it.
 *
 * @param draft the hidden file with the bytes
 * @param target the file that the draft becomes
 * @param length of the draft at the checkpoint
 */
record FlinkPart(Path draft, Path target, long length)
        implements RecoverableWriter.CommitRecoverable, RecoverableWriter.ResumeRecoverable {
    FlinkPart {
        if (length < 0) {
            throw new IllegalArgumentException("%s of %d bytes".formatted(draft, length));
        }
    }

    /** Returns the part that a checkpoint's object is. */
    static FlinkPart of(Object recoverable) {
        if (recoverable instanceof FlinkPart part) {
            return part;
        }
        throw new IllegalArgumentException("a checkpoint of another file system than packing:// has " + recoverable);
    }
}
