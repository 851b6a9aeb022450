// SPDX-License-Identifier: Apache-2.0
/** Benchmark drivers: each measures one bar, beside its limit, and prints a table or JSON. */
@NullMarked
package io.packing.bench;

import org.jspecify.annotations.NullMarked;
