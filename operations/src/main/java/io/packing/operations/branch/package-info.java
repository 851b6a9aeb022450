// SPDX-License-Identifier: Apache-2.0
/** Branches of directories: writable clones that know their base, their differences, and their merges. */
@NullMarked
package io.packing.operations.branch;

import org.jspecify.annotations.NullMarked;
