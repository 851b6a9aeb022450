// SPDX-License-Identifier: Apache-2.0
/** Groups of BDT masters by Raft: a member as {@link io.packing.bdt.master.BdtMaster} sees it. */
@NullMarked
package io.packing.bdt.raft;

import org.jspecify.annotations.NullMarked;
