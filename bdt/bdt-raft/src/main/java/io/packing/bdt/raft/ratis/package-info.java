// SPDX-License-Identifier: Apache-2.0
/** The agreement of members by Apache Ratis, and its port. */
@NullMarked
package io.packing.bdt.raft.ratis;

import org.jspecify.annotations.NullMarked;
