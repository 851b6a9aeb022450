// SPDX-License-Identifier: Apache-2.0
/** Adoption: the objects of a bucket become the files of a mount, and none of their bytes is moved. */
@NullMarked
package io.packing.operations.adopt;

import org.jspecify.annotations.NullMarked;
