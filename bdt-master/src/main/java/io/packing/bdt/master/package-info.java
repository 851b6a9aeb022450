// SPDX-License-Identifier: Apache-2.0
/** The BDT master: its configuration, its mounts, and the wiring of the packages below. */
@NullMarked
package io.packing.bdt.master;

import org.jspecify.annotations.NullMarked;
