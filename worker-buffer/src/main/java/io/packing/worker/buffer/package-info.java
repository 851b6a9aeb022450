// SPDX-License-Identifier: Apache-2.0
/**
 * The node-local buffer: append-only segments, and an index that a scan of them can rebuild. {@link
 * io.packing.worker.buffer.FileBuffer} is its entrance, and its state is in one class with one lock, {@code
 * BufferState}.
 */
@NullMarked
package io.packing.worker.buffer;

import org.jspecify.annotations.NullMarked;
