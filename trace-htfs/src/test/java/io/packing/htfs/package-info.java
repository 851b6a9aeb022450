// SPDX-License-Identifier: Apache-2.0
/** Tests of the wrappers. */
@NullMarked
package io.packing.htfs;

import org.jspecify.annotations.NullMarked;
