// SPDX-License-Identifier: Apache-2.0
/** Tokens that a master issues: keys that sign them and change, and what became of each token, both on the master's disk. */
@NullMarked
package io.packing.bdt.master.tokens;

import org.jspecify.annotations.NullMarked;
