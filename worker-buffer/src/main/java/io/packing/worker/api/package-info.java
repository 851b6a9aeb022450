// SPDX-License-Identifier: Apache-2.0
/** A mount for front doors: its files, their outputs and inputs, and all its options. */
@NullMarked
package io.packing.worker.api;

import org.jspecify.annotations.NullMarked;
