// SPDX-License-Identifier: Apache-2.0
/** Checks of the help of a command. */
@NullMarked
package io.packing.help;

import org.jspecify.annotations.NullMarked;
