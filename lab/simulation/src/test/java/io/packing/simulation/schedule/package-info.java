// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.simulation.schedule;

import org.jspecify.annotations.NullMarked;
