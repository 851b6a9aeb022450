// SPDX-License-Identifier: Apache-2.0
/** Tests of the model. */
@NullMarked
package io.packing.chaos.model;

import org.jspecify.annotations.NullMarked;
