// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.chaos.masters;

import org.jspecify.annotations.NullMarked;
