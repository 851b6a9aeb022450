// SPDX-License-Identifier: Apache-2.0
/** Access of tests to the inside of a master. */
@NullMarked
package io.packing.bdt.master;

import org.jspecify.annotations.NullMarked;
