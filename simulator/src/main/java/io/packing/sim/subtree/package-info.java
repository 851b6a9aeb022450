// SPDX-License-Identifier: Apache-2.0
/** A mount whose subtrees are spread over groups of masters, in virtual time. */
@NullMarked
package io.packing.sim.subtree;

import org.jspecify.annotations.NullMarked;
