// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.fuzz.battle;

import org.jspecify.annotations.NullMarked;
