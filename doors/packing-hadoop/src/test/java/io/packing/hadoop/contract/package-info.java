// SPDX-License-Identifier: Apache-2.0
/** Hadoop's own suites of a file system's duties, over a packing mount. */
@NullMarked
package io.packing.hadoop.contract;

import org.jspecify.annotations.NullMarked;
