/** What replays of all kinds of traces share: when calls are made, what came of them. */
@NullMarked
package io.packing.trace.tools.replay;

import org.jspecify.annotations.NullMarked;
