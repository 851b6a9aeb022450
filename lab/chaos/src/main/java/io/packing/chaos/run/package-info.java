// SPDX-License-Identifier: Apache-2.0
/** The options, seeds and counts that all commands with rounds share. */
@NullMarked
package io.packing.chaos.run;

import org.jspecify.annotations.NullMarked;
