// SPDX-License-Identifier: Apache-2.0
/** The packing command. */
@NullMarked
package io.packing.cli;

import org.jspecify.annotations.NullMarked;
