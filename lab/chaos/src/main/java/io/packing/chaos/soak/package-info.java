// SPDX-License-Identifier: Apache-2.0
/** Hours of a mixed load on real daemons, whose memory, descriptors, disk and requests have to stay flat. */
@NullMarked
package io.packing.chaos.soak;

import org.jspecify.annotations.NullMarked;
