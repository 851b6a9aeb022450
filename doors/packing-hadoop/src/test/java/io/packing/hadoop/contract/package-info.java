/** Hadoop's own suites of what a file system has to do, over a packing mount. */
@NullMarked
package io.packing.hadoop.contract;

import org.jspecify.annotations.NullMarked;
