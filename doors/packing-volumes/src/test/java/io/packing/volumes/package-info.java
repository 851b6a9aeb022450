// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.volumes;

import org.jspecify.annotations.NullMarked;
