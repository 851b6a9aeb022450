// SPDX-License-Identifier: Apache-2.0
/** Tools for traces that need Hadoop's classes: replays on any of its file systems, and Parquet files. */
@NullMarked
package io.packing.trace.hadoop;

import org.jspecify.annotations.NullMarked;
