// SPDX-License-Identifier: Apache-2.0
/** The wire form of the BDT protocol: generated messages, their translation to values, and status codes. */
@NullMarked
package io.packing.bdt.rpc;

import org.jspecify.annotations.NullMarked;
