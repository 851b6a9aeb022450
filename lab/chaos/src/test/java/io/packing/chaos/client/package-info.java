// SPDX-License-Identifier: Apache-2.0
/** Tests of clients' answers. */
@NullMarked
package io.packing.chaos.client;

import org.jspecify.annotations.NullMarked;
