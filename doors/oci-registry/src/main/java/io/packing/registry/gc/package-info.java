// SPDX-License-Identifier: Apache-2.0
/** Removal of objects that no manifest reaches. */
@NullMarked
package io.packing.registry.gc;

import org.jspecify.annotations.NullMarked;
