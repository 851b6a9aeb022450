// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.encryption;

import org.jspecify.annotations.NullMarked;
