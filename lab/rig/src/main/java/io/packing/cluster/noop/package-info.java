// SPDX-License-Identifier: Apache-2.0
/** An under file system that stores nothing: the limit for all others. */
@NullMarked
package io.packing.cluster.noop;

import org.jspecify.annotations.NullMarked;
