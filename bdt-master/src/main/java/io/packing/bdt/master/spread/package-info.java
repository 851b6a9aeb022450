// SPDX-License-Identifier: Apache-2.0
/** The table of mounts and their groups of masters: its storage, and its reading from elsewhere. */
@NullMarked
package io.packing.bdt.master.spread;

import org.jspecify.annotations.NullMarked;
