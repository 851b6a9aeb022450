// SPDX-License-Identifier: Apache-2.0
/** The answers that clients got, and the states of files that they allow. */
@NullMarked
package io.packing.chaos.model;

import org.jspecify.annotations.NullMarked;
