// SPDX-License-Identifier: Apache-2.0
/** Measurements of traces on a mount of their own: its daemons, the play of a trace's actions, and what they took. */
@NullMarked
package io.packing.cli.measure;

import org.jspecify.annotations.NullMarked;
