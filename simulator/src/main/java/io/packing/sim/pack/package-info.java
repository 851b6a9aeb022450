// SPDX-License-Identifier: Apache-2.0
/** The packing layer as a model: the cost and the time of an ingest, at sizes beyond any test machine. */
@NullMarked
package io.packing.sim.pack;

import org.jspecify.annotations.NullMarked;
