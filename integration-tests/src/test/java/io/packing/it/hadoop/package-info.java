// SPDX-License-Identifier: Apache-2.0
/** Programs for Hadoop's API, which tests run in processes with Alluxio's class path: they use no class of packing. */
@NullMarked
package io.packing.it.hadoop;

import org.jspecify.annotations.NullMarked;
