// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.rules;

import org.jspecify.annotations.NullMarked;
