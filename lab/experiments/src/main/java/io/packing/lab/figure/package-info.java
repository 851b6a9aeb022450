// SPDX-License-Identifier: Apache-2.0
/** The figures of the paper's evaluation: each as a plot, with the numbers that it shows as CSV beside it. */
@NullMarked
package io.packing.lab.figure;

import org.jspecify.annotations.NullMarked;
