// SPDX-License-Identifier: Apache-2.0
/**
 * Seeded rounds of faults against a whole system. They prove that no acknowledged file is lost, returns or reads wrong.
 */
@NullMarked
package io.packing.chaos;

import org.jspecify.annotations.NullMarked;
