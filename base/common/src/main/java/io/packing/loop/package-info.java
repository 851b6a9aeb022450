// SPDX-License-Identifier: Apache-2.0
/** Loops of daemons: one thread for each, with one way to pause after failures and to tell a log of them. */
@NullMarked
package io.packing.loop;

import org.jspecify.annotations.NullMarked;
