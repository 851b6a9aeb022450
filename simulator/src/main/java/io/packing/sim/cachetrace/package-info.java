// SPDX-License-Identifier: Apache-2.0
/** Traces of requests for objects, and runs of a single cache over them. */
@NullMarked
package io.packing.sim.cachetrace;

import org.jspecify.annotations.NullMarked;
