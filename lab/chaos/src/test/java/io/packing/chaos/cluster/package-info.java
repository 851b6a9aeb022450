// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.chaos.cluster;

import org.jspecify.annotations.NullMarked;
