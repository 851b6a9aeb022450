// SPDX-License-Identifier: Apache-2.0
/** Experiments of the packing paper at the door of Hadoop, and S3A. */
@NullMarked
package io.packing.lab.hadoop;

import org.jspecify.annotations.NullMarked;
