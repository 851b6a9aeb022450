// SPDX-License-Identifier: Apache-2.0
/** Packed against direct: requests, dollars, rates and their ratios, as a table and as JSON. */
@NullMarked
package io.packing.lab.compare;

import org.jspecify.annotations.NullMarked;
