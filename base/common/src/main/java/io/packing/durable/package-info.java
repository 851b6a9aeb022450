// SPDX-License-Identifier: Apache-2.0
/** The files of a process's own directory: locked against other processes, and whole after a loss of power. */
@NullMarked
package io.packing.durable;

import org.jspecify.annotations.NullMarked;
