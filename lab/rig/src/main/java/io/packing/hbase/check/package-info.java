// SPDX-License-Identifier: Apache-2.0
/**
 * The check that a trace is complete. The trace alone must determine every file that HDFS has at the end: its length,
 * to the byte, and no hole.
 */
@NullMarked
package io.packing.hbase.check;

import org.jspecify.annotations.NullMarked;
