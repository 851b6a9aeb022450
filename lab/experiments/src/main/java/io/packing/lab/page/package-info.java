// SPDX-License-Identifier: Apache-2.0
/** Measurements of the daemons' page: the time until a browser shows it, and its cost for writers. */
@NullMarked
package io.packing.lab.page;

import org.jspecify.annotations.NullMarked;
