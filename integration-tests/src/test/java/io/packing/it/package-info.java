// SPDX-License-Identifier: Apache-2.0
/** Rules and end-to-end tests that concern several modules. */
@NullMarked
package io.packing.it;

import org.jspecify.annotations.NullMarked;
