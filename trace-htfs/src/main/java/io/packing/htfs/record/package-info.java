/**
 * The recorder of HTFS (Harter's thesis, §3.2.1): what a traced call costs the caller. It knows no Hadoop.
 *
 * <p>A call ends in a slot of a bounded ring; small sequential I/O first collapses in its stream. One daemon thread
 * empties the rings into the trace. Whatever fails there is counted as dropped and never reaches the caller.
 */
@NullMarked
package io.packing.htfs.record;

import org.jspecify.annotations.NullMarked;
