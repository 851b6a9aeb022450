// SPDX-License-Identifier: Apache-2.0
/** The logs of daemons: where they go, in which form, and what never stands in them. */
@NullMarked
package io.packing.cli.log;

import org.jspecify.annotations.NullMarked;
