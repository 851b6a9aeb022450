// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.nbd;

import org.jspecify.annotations.NullMarked;
