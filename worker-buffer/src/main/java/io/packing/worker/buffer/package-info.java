/** The node-local buffer: append-only segments with an index that can be rebuilt by scanning them. */
@NullMarked
package io.packing.worker.buffer;

import org.jspecify.annotations.NullMarked;
