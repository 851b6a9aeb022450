// SPDX-License-Identifier: Apache-2.0
/** Calls of any method with messages made from its descriptor, and judges of their ends. */
@NullMarked
package io.packing.fuzz.calls;

import org.jspecify.annotations.NullMarked;
