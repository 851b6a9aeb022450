/**
 * The node-local buffer: append-only segments with an index that can be rebuilt by scanning them. {@link
 * io.packing.worker.buffer.FileBuffer} is its entrance, and its state is in one class with one lock, {@code BufferState}.
 */
@NullMarked
package io.packing.worker.buffer;

import org.jspecify.annotations.NullMarked;
