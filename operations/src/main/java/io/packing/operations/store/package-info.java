// SPDX-License-Identifier: Apache-2.0
/** A bucket, or whatever else is an object store of ours, as a file system of Hadoop's, for copies. */
@NullMarked
package io.packing.operations.store;

import org.jspecify.annotations.NullMarked;
