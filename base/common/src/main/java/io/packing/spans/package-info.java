// SPDX-License-Identifier: Apache-2.0
/**
 * Spans: the waits of one slow call in each process on its way. They are off without a collector; {@link
 * io.packing.spans.Spans#NONE} makes one span without effect.
 */
@NullMarked
package io.packing.spans;

import org.jspecify.annotations.NullMarked;
