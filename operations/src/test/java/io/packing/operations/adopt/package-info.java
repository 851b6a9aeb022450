// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.operations.adopt;

import org.jspecify.annotations.NullMarked;
