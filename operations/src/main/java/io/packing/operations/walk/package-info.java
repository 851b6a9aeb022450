// SPDX-License-Identifier: Apache-2.0
/** Goes through all of a mount, by its tree or by the rows of its table. */
@NullMarked
package io.packing.operations.walk;

import org.jspecify.annotations.NullMarked;
