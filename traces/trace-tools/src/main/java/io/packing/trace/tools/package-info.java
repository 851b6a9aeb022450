// SPDX-License-Identifier: Apache-2.0
/** Tools for HTFS traces: summaries, conversions to and from other formats, anonymisation. */
@NullMarked
package io.packing.trace.tools;

import org.jspecify.annotations.NullMarked;
