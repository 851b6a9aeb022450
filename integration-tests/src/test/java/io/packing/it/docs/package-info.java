// SPDX-License-Identifier: Apache-2.0
/** The documentation as tests: the kinds of its blocks, the work of its commands, and the targets of its links. */
@NullMarked
package io.packing.it.docs;

import org.jspecify.annotations.NullMarked;
