// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.chaos.run;

import org.jspecify.annotations.NullMarked;
