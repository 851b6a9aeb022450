// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.s3gateway.protocol;

import org.jspecify.annotations.NullMarked;
