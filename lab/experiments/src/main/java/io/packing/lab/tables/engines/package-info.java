// SPDX-License-Identifier: Apache-2.0
/** Engines with their own servers on tables of a mount: Trino, a cluster of Flink, and Spark with Hudi. */
@NullMarked
package io.packing.lab.tables.engines;

import org.jspecify.annotations.NullMarked;
