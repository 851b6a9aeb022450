// SPDX-License-Identifier: Apache-2.0
/** Runs of experiments, each with servers and a workspace of its own. */
@NullMarked
package io.packing.lab.suite;

import org.jspecify.annotations.NullMarked;
