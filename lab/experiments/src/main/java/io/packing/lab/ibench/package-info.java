// SPDX-License-Identifier: Apache-2.0
/** Desktop tasks on Linux that stand for those of iBench: recorded, analyzed, and compared with the paper's numbers. */
@NullMarked
package io.packing.lab.ibench;

import org.jspecify.annotations.NullMarked;
