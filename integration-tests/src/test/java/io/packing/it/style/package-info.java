// SPDX-License-Identifier: Apache-2.0
/** The rules for the style of sources, and the tests that keep them. */
@NullMarked
package io.packing.it.style;

import org.jspecify.annotations.NullMarked;
