// SPDX-License-Identifier: Apache-2.0
/** Copies of trees between any two file systems of Hadoop: mounts, HDFS, local directories. */
@NullMarked
package io.packing.operations.copy;

import org.jspecify.annotations.NullMarked;
