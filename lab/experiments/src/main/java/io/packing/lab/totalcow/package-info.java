// SPDX-License-Identifier: Apache-2.0
/** Experiments of the paper on TotalCOW: reads and overwrites of bytes that files share. */
@NullMarked
package io.packing.lab.totalcow;

import org.jspecify.annotations.NullMarked;
