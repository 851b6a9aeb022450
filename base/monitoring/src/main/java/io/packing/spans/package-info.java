/**
 * Spans: what one slow call waited for, in each process that it came through. Off unless somebody names a collector; {@link
 * io.packing.spans.Spans#NONE} makes one span that does nothing.
 */
@NullMarked
package io.packing.spans;

import org.jspecify.annotations.NullMarked;
