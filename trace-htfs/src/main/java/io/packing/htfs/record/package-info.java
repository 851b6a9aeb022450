// SPDX-License-Identifier: Apache-2.0
/**
 * The recorder of HTFS (Harter's thesis, §3.2.1): the part of tracing whose cost the traced call's caller pays. It does
 * not know Hadoop.
 *
 * <p>A call ends in a slot of a bounded ring; small sequential I/O first collapses in its stream. One daemon thread
 * empties the rings into the trace. A failure there counts its events as dropped, and never reaches the caller.
 */
@NullMarked
package io.packing.htfs.record;

import org.jspecify.annotations.NullMarked;
