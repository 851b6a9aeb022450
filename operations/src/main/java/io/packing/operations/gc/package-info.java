// SPDX-License-Identifier: Apache-2.0
/** Plans of collection: the blobs that go next, and those that stay, with reasons. */
@NullMarked
package io.packing.operations.gc;

import org.jspecify.annotations.NullMarked;
