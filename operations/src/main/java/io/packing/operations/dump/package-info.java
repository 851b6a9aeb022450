// SPDX-License-Identifier: Apache-2.0
/** A mount's files as lines of text, and back: docs/operations.md has the format. */
@NullMarked
package io.packing.operations.dump;

import org.jspecify.annotations.NullMarked;
