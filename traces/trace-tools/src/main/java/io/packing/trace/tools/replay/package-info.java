// SPDX-License-Identifier: Apache-2.0
/** The parts that the replays of all kinds of traces share: the pace of the calls and the report. */
@NullMarked
package io.packing.trace.tools.replay;

import org.jspecify.annotations.NullMarked;
