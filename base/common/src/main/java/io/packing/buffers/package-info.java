/** Parts of byte buffers. */
@NullMarked
package io.packing.buffers;

import org.jspecify.annotations.NullMarked;
