// SPDX-License-Identifier: Apache-2.0
/** The HTFS trace format: events, codec, reader and writer. {@code docs/trace-format.md} is normative. */
@NullMarked
package io.packing.trace;

import org.jspecify.annotations.NullMarked;
