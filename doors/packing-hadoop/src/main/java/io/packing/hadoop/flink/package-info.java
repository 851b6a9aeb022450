// SPDX-License-Identifier: Apache-2.0
/**
 * The file system that Flink finds for {@code packing://}: Flink's own over Hadoop's door, with a writer for exactly-once sinks. Only
 * Flink loads these classes.
 */
@NullMarked
package io.packing.hadoop.flink;

import org.jspecify.annotations.NullMarked;
