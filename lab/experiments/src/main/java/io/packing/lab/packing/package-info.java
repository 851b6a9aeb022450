// SPDX-License-Identifier: Apache-2.0
/** Experiments of the packing paper (CMU-PDL-17-105, §8), on one machine. */
@NullMarked
package io.packing.lab.packing;

import org.jspecify.annotations.NullMarked;
